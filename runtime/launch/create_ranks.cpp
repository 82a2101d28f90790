// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/create_ranks.hpp"

#include <algorithm>
#include <new>
#include <span>
#include <vector>

#include "runtime/arena/arena.hpp"
#include "runtime/image/start.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/pe/pe_loop.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/running.hpp"

namespace skein::launch {
namespace {

void create_rank(std::size_t slot, image::Program& program, std::span<const char* const> arguments) {
  program.instantiate(slot);
  Rank& rank = *new (arena::control_address(slot)) Rank;
  rank.id = static_cast<int>(slot);
  rank.heap.initialise(arena::heap_address(slot), arena::slot_address(slot + 1));
  rank.tls_copy = program.tls_copy(slot);
  libc::create_process_state(rank, arguments);
  vmpi::create_rank_state(rank);
  prepare_main_fiber(rank, image::run_program);
  pe::add_rank(rank.id);
}

/// What a rank touches before its program's main does: the first page of its stack, the control block, what
/// the image writes, and so much of the heap.
void append_initial_pages(std::size_t slot, const image::Program& program, std::size_t heap_bytes,
                          std::vector<arena::Range>& out) {
  std::byte* const image = image::image_base(slot);
  std::byte* const stack = arena::contents_address(slot) + arena::layout.control_offset - arena::page_bytes;
  out.push_back({stack, static_cast<std::size_t>(image - stack)});
  for (const image::Program::Extent& extent : program.initial_pages())
    out.push_back({image + extent.offset, extent.bytes});
  arena::Range& last = out.back();
  std::byte* const heap_end = arena::heap_address(slot) + heap_bytes;
  while (last.begin + last.bytes < heap_end) last.bytes += arena::page_bytes;
}

/// `heap_bytes`: how many a rank touches before its main, as far as known; from here on it is.
void create_ranks(std::span<const std::size_t> slots, image::Program& program,
                  std::span<const char* const> arguments, std::size_t& heap_bytes) {
  std::vector<arena::Range> pages;
  for (const std::size_t slot : slots) append_initial_pages(slot, program, heap_bytes, pages);
  arena::provide_pages(pages);
  for (const std::size_t slot : slots) create_rank(slot, program, arguments);
  const arena::Heap& heap = rank_in_slot(static_cast<int>(slots.front())).heap;
  heap_bytes = static_cast<std::size_t>(heap.top() - heap.begin());
}

}  // namespace

void create_ranks(const RunOptions& run, image::Program& program) {
  constexpr std::size_t at_once = 64;  // few, so that their pages are still in the cache when they are filled
  std::vector<const char*> arguments{run.program.c_str()};
  for (const std::string& word : run.args) arguments.push_back(word.c_str());
  std::vector<std::size_t> slots;
  for (int id = 0; id < run.ranks; ++id)
    if (pe::is_here(id)) slots.push_back(static_cast<std::size_t>(id));
  program.map_text(slots);
  arena::install_guards(slots);
  std::size_t heap_bytes = 1;
  for (std::span<const std::size_t> left = slots; !left.empty();) {
    const std::size_t count = std::min(left.size(), at_once);
    create_ranks(left.first(count), program, arguments, heap_bytes);
    left = left.subspan(count);
  }
}

}  // namespace skein::launch
