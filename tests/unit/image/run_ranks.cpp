// SPDX-License-Identifier: Apache-2.0
// Loads a program and runs several ranks of it in this process, switching at every call of
// skein_test_yield():
//
//   run_ranks RANKS PROGRAM [--private LIB]... [--shared LIB]... [--shared-arena] [--other-processor]
//             [--expect PLACE,PLACE...]
//
// The program's own checks call skein_test_fail(); each rank must come to the places in the order given and
// return 0 from main. Exit status 0 if all did; 2 with the message if the program cannot be loaded.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/image/address_space.hpp"
#include "runtime/image/debugger.hpp"
#include "runtime/image/program.hpp"
#include "runtime/image/start.hpp"
#include "runtime/libc/malloc.hpp"
#include "runtime/rank/job_guards.hpp"
#include "runtime/rank/process_guard.hpp"
#include "runtime/rank/scheduler.hpp"

namespace {

using namespace skein;

struct Handler {
  void (*function)(void*);
  void* argument;
};
struct RankRecord {
  std::vector<Handler> at_exit;
  std::string places;
  bool ended = false;
};
std::vector<RankRecord> records;
int failures = 0;
std::uint64_t other_processor = 0;  // if not 0, every switch pretends to have come to a new processor
char argument[] = "argument";
char* arguments[] = {argument, argument, nullptr};
char* environment[] = {nullptr};

RankRecord& this_record() { return records[static_cast<std::size_t>(current_rank()->id)]; }

int test_rank() { return current_rank()->id; }

/// Fills the words that depend on the processor with functions that a rank on another processor must not
/// call.
void spoil_library_words(std::byte* base) {
  const auto wrong = reinterpret_cast<std::uint64_t>(&abort);
  for (const image::FixedWord& word : image::current_program()->slot_template().library_words)
    memcpy(base + word.offset, &wrong, sizeof wrong);
}

void test_yield() {
  yield();
  fiber::RuntimeScope runtime;
  const auto slot = static_cast<std::size_t>(current_rank()->id);
  image::current_program()->on_departure(slot);
  if (other_processor) {
    image::current_program()->unseal_images(slot);
    spoil_library_words(image::image_base(slot));
    image::current_program()->on_arrival(slot, ++other_processor);
  } else {
    image::current_program()->on_arrival(slot);
  }
}
void test_fail(const char* file, int line, const char* condition) {
  ++failures;
  fprintf(stderr, "rank %d: %s:%d: %s\n", current_rank()->id, file, line, condition);
}
void test_reached(const char* place) {
  fiber::RuntimeScope runtime;
  std::string& places = this_record().places;
  places.append(places.empty() ? "" : ",").append(place);
}

// Implements as much of a process's end as the programs need; the product's is in runtime/libc.
int test_cxa_atexit(void (*function)(void*), void* handler_argument, void*) {
  fiber::RuntimeScope runtime;
  this_record().at_exit.push_back({function, handler_argument});
  return 0;
}
int test_atexit(void (*function)()) {
  return test_cxa_atexit(reinterpret_cast<void (*)(void*)>(function), nullptr, nullptr);
}
void test_cxa_finalize(void*) {}
void test_exit(int status) {
  RankRecord& record = this_record();
  while (!record.at_exit.empty()) {
    const Handler handler = record.at_exit.back();
    record.at_exit.pop_back();
    handler.function(handler.argument);
  }
  image::run_destructors(*current_rank());
  record.ended = true;
  if (status != 0) {
    ++failures;
    fprintf(stderr, "rank %d: exit status %d\n", current_rank()->id, status);
  }
  finish_rank();
}

const libc::Override overrides[] = {{"skein_test_rank", libc::address_of(test_rank)},
                                    {"skein_test_yield", libc::address_of(test_yield)},
                                    {"skein_test_fail", libc::address_of(test_fail)},
                                    {"skein_test_reached", libc::address_of(test_reached)},
                                    {"skein_test_rank_", libc::address_of(test_rank)},
                                    {"skein_test_yield_", libc::address_of(test_yield)},
                                    {"exit", libc::address_of(test_exit)},
                                    {"atexit", libc::address_of(test_atexit)},
                                    {"__cxa_atexit", libc::address_of(test_cxa_atexit)},
                                    {"__cxa_thread_atexit", libc::address_of(test_cxa_atexit)},
                                    {"__cxa_thread_atexit_impl", libc::address_of(test_cxa_atexit)},
                                    {"__cxa_finalize", libc::address_of(test_cxa_finalize)}};

void create_rank(image::Program& program, std::size_t slot) {
  arena::install_guards({&slot, 1});
  program.instantiate(slot);
  Rank& rank = *new (arena::control_address(slot)) Rank;
  rank.id = static_cast<int>(slot);
  rank.tls_copy = program.tls_copy(slot);
  rank.heap.initialise(arena::heap_address(slot), arena::slot_address(slot + 1));
  prepare_main_fiber(rank, image::run_program);
  make_ready(rank.main);
}

/// Checks that everything the loader writes lies in the writable parts, as a copying move sends only those.
/// Whole pages are provided ahead for them, which the system would refuse for mapped code.
void check_extents(const image::Program& program, std::span<const image::Program::Extent> extents) {
  const auto is_covered = [&](std::uint64_t offset, std::uint64_t bytes) {
    const auto covers = [&](const image::Program::Extent& extent) {
      return offset >= extent.offset && offset + bytes <= extent.offset + extent.bytes;
    };
    return bytes == 0 || std::any_of(extents.begin(), extents.end(), covers);
  };
  const image::SlotTemplate& slot_template = program.slot_template();
  for (const image::Bytes& run : slot_template.data) failures += !is_covered(run.offset, run.contents.size());
  for (const image::SlotWord& word : slot_template.words) failures += !is_covered(word.offset, 8);
  for (const auto& image : program.images())
    for (const image::TextRun& run : image->file.text)
      for (std::uint64_t byte = 0; byte < run.bytes; byte += arena::kPageBytes)
        failures += is_covered(image->offset + run.address + byte, 1);
}

void check_locate(const image::Program& program, std::size_t slot) {
  const image::Image& image = *program.images().back();
  const std::uint64_t address = image.file.text.front().address + 100;
  image::CodePlace place;
  failures += !program.locate(image::image_base(slot) + image.offset + address, place) ||
              place.file != image.file.path || place.address != address;
  failures += program.locate(&failures, place) || program.locate(arena::slot_address(slot), place);
}

int run(int argc, char** argv) {
  image::ProgramOptions options;
  arena::Backing backing = arena::Backing::private_pages;
  std::string expected;
  const std::size_t ranks = static_cast<std::size_t>(atoi(argv[1]));
  options.path = argv[2];
  for (int i = 3; i < argc; ++i) {
    if (strcmp(argv[i], "--private") == 0) options.private_libraries.emplace_back(argv[++i]);
    if (strcmp(argv[i], "--shared") == 0) options.shared_libraries.emplace_back(argv[++i]);
    if (strcmp(argv[i], "--expect") == 0) expected = argv[++i];
    if (strcmp(argv[i], "--other-processor") == 0) other_processor = 1;
    if (strcmp(argv[i], "--shared-arena") == 0) backing = arena::Backing::node_shared;
  }
  options.overrides = {libc::malloc_overrides(), overrides};
  image::Program program(options);

  check_extents(program, program.writable_extents());
  check_extents(program, program.initial_pages());

  constexpr std::size_t stack_bytes = std::size_t{256} << 10;
  const arena::SlotLayout layout =
      arena::make_layout(arena::kLeastSlotBytes, stack_bytes, sizeof(Rank) + arena::kColourRoom,
                         program.image_bytes(), program.image_alignment());
  const int memfd =
      backing == arena::Backing::node_shared ? arena::create_memory_file(ranks * layout.slot_bytes) : -1;
  arena::reserve(layout, ranks, backing, memfd);
  const PeRuntime runtime({.arguments_of =
                               [](Rank&) {
                                 return ProgramArguments{2, arguments, environment};
                               },
                           .exit_program = test_exit});
  set_program_tls_bytes(program.tls_bytes());
  records.resize(ranks);
  for (std::size_t slot = 0; slot < ranks; ++slot) create_rank(program, slot);
  check_locate(program, ranks - 1);
  std::vector<std::size_t> slots(ranks);
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  image::publish_to_debugger(slots);
  while (run_ready()) {
  }
  for (const RankRecord& record : records)
    if (!record.ended || record.places != expected) {
      fprintf(stderr, "a rank %s; it came to: %s\n", record.ended ? "ended" : "did not end",
              record.places.c_str());
      ++failures;
    }
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  job_guards = draw_job_guards();
  set_stack_canary();
  fiber::check_thread_block();
  int status = 1;
  try {
    skein::image::settle_address_space(argv);
    status = run(argc, argv);
  } catch (const Error& e) {
    fprintf(stderr, "%s\n", e.what());
    status = 2;
  }
  fflush(nullptr);
  use_process_guards();
  _Exit(status);
}
