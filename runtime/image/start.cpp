// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/start.hpp"

#include <elf.h>
#include <fenv.h>

#include <cstdint>
#include <iterator>

#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/upcalls.hpp"
#include "runtime/image/loaded_libraries.hpp"
#include "runtime/image/program.hpp"

namespace skein::image {
namespace {

using Main = int (*)(int, char**, char**);
using Constructor = void (*)(int, char**, char**);
using Destructor = void (*)();

template <class Function>
Function function_at(std::byte* base, const Image& image, std::uint64_t address) {
  return reinterpret_cast<Function>(base + image.offset + address);
}

/// Returns false for 0 and -1, which may mark the ends of linkers' tables.
template <class Function>
bool is_function(Function f) {
  const auto address = reinterpret_cast<std::uint64_t>(f);
  return address != 0 && address != ~std::uint64_t{0};
}

void run_table(std::byte* bias, Table table, const ProgramArguments& a) {
  const auto* const functions = reinterpret_cast<Constructor*>(bias + table.address);
  for (std::uint64_t i = 0; i < table.entries; ++i)
    if (is_function(functions[i])) functions[i](a.argc, a.argv, a.environment);
}

void run_constructors(const Program& program, Rank& rank) {
  std::byte* const base = image_base(rank);
  const Image& first = *program.images().front();
  run_table(base + first.offset, first.file.preinit_array, upcalls.arguments_of(rank));
  for (const std::size_t index : program.construction_order()) {
    const Image& image = *program.images()[index];
    construct(rank, functions_of(image.file, base + image.offset));
  }
}

[[noreturn]] void run_main(Rank& rank, Main main_function) {
  run_constructors(*current_program(), rank);
  const ProgramArguments a = upcalls.arguments_of(rank);
  upcalls.exit_program(main_function(a.argc, a.argv, a.environment));
  SKEIN_CHECK(false, "exit() of rank %d returned", rank.id);
  __builtin_unreachable();
}

int start_main(Main main_function, int, char**, void (*)(), void (*)(), void (*)(), void*) {
  run_main(*current_rank(), main_function);
}

/// Enters the start code, which finds at the stack pointer: argc, argv and null, environment and null,
/// auxiliary vector; and in rdx a function to register with atexit (System V ABI, AMD64 supplement, "Process
/// Initialization"). It passes them to start_main(), which takes the rank's own instead: so all are empty
/// here.
[[noreturn]] void enter_at(Fiber& fiber, std::byte* entry) {
  constexpr std::size_t own_frame = 2048, start_frame = 64;
  alignas(16) static const std::uint64_t nothing[6] = {0, 0, 0, AT_NULL, 0, 0};
  auto* const frame = static_cast<std::byte*>(__builtin_frame_address(0)) - own_frame;
  std::byte* const top = frame - reinterpret_cast<std::uintptr_t>(frame) % 16;
  // Unwinding ends in the start code, which has no caller, and whose table does not say what it pushes.
  fiber.launcher_bytes = static_cast<std::uint16_t>(fiber.stack_end - top + sizeof nothing + start_frame);
  asm volatile(
      "movq %[top], %%rsp\n"
      "pushq 40(%[words])\n"
      "pushq 32(%[words])\n"
      "pushq 24(%[words])\n"
      "pushq 16(%[words])\n"
      "pushq 8(%[words])\n"
      "pushq 0(%[words])\n"
      "xorl %%edx, %%edx\n"
      "xorl %%ebp, %%ebp\n"
      "jmpq *%[entry]\n"
      :
      : [words] "b"(nothing), [entry] "a"(entry), [top] "c"(top)
      : "memory");
  __builtin_unreachable();
}

}  // namespace

void check_startable(const Program& program) {
  const ElfFile& file = program.images().front()->file;
  if (file.is_executable) return;
  const Symbol* main_symbol = file.find("main");
  if (!main_symbol || !file.in_code(main_symbol->value))
    throw Error(file.path +
                " is a shared object without a function main: link it as a program (-pie), or export main");
}

void run_program(Fiber& fiber) {
  Rank& rank = *fiber.rank;
  const Image& image = *current_program()->images().front();
  std::byte* const base = image_base(rank);
  feclearexcept(FE_ALL_EXCEPT);  // those that the PE has raised
  if (image.file.is_executable) enter_at(fiber, base + image.offset + image.file.entry);
  run_main(rank, function_at<Main>(base, image, image.file.find("main")->value));
}

ImageFunctions functions_of(const ElfFile& file, std::byte* bias) {
  return {bias, file.init, file.fini, file.init_array, file.fini_array};
}

void construct(Rank& rank, ImageFunctions functions) {
  const ProgramArguments a = upcalls.arguments_of(rank);
  if (functions.init)
    reinterpret_cast<Constructor>(functions.bias + functions.init)(a.argc, a.argv, a.environment);
  run_table(functions.bias, functions.init_array, a);
}

void destroy(ImageFunctions functions) {
  const auto* const table = reinterpret_cast<Destructor*>(functions.bias + functions.fini_array.address);
  for (std::uint64_t i = functions.fini_array.entries; i-- > 0;)
    if (is_function(table[i])) table[i]();
  if (functions.fini) reinterpret_cast<Destructor>(functions.bias + functions.fini)();
}

void run_destructors(Rank& rank) {
  destroy_libraries(rank, true);
  const Program& program = *current_program();
  std::byte* const base = image_base(rank);
  const auto order = program.construction_order();
  for (auto index = order.rbegin(); index != order.rend(); ++index) {
    const Image& image = *program.images()[*index];
    destroy(functions_of(image.file, base + image.offset));
  }
}

std::span<const libc::Override> start_overrides() {
  static const libc::Override overrides[] = {{"__libc_start_main", libc::address_of(start_main)}};
  return overrides;
}

}  // namespace skein::image
