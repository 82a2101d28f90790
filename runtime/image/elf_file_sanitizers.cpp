// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/elf_file.hpp"

#include <algorithm>

#include "runtime/base/error.hpp"

namespace skein::image {
namespace {

struct Sanitizer {
  const char* name;
  const char* option;
  std::string_view library;  ///< of GCC, and of Clang with -shared-libsan
  std::string_view symbol;   ///< of every program's references, or exported by a statically linked runtime
};
constexpr Sanitizer kSanitizers[] = {
    {"AddressSanitizer", "-fsanitize=address", "libasan.so", "__asan_init"},
    {"AddressSanitizer", "-fsanitize=address", "libclang_rt.asan", "__asan_version_mismatch_check_v8"},
    {"HWAddressSanitizer", "-fsanitize=hwaddress", "libhwasan.so", "__hwasan_init"},
    {"ThreadSanitizer", "-fsanitize=thread", "libtsan.so", "__tsan_init"},
    {"ThreadSanitizer", "-fsanitize=thread", "libclang_rt.tsan", "__tsan_func_entry"},
    {"MemorySanitizer", "-fsanitize=memory", "libclang_rt.msan", "__msan_init"},
    {"LeakSanitizer", "-fsanitize=leak", "liblsan.so", "__lsan_init"},
};

bool is_built_with(const ElfFile& file, const Sanitizer& sanitizer) {
  const auto needs = [&](const std::string& name) { return name.starts_with(sanitizer.library); };
  const auto knows = [&](const Symbol& symbol) { return symbol.name == sanitizer.symbol; };
  return std::ranges::any_of(file.needed, needs) || std::ranges::any_of(file.symbols, knows);
}

}  // namespace

void refuse_sanitizers(const ElfFile& file) {
  for (const Sanitizer& sanitizer : kSanitizers)
    if (is_built_with(file, sanitizer))
      throw Error(format(
          "%s is built with %s (%s), which watches the one stack and the one heap of a process, where ranks "
          "have their own: look for errors in a build by mpicc under mpirun, a process for each rank, and "
          "build without %s for skein run (-fsanitize=undefined works)",
          file.path.c_str(), sanitizer.name, sanitizer.option, sanitizer.option));
}

}  // namespace skein::image
