// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/rank_pages.hpp"

#include <algorithm>

#include "runtime/image/program.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/rank/side_stacks.hpp"
#include "runtime/rank/stack_in_use.hpp"

namespace skein::move {
namespace {

constexpr std::uint32_t kMostCallsBetweenCounts = 64;

/// Returns the pages of [begin, end).
arena::Range pages_between(const void* begin, const void* end) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin) & ~(arena::kPageBytes - 1);
  const auto last =
      (reinterpret_cast<std::uintptr_t>(end) + arena::kPageBytes - 1) & ~(arena::kPageBytes - 1);
  return {reinterpret_cast<std::byte*>(first), last - first};
}

}  // namespace

std::vector<arena::Range> memory_of(std::size_t slot, const void* stack_begin, const void* heap_end) {
  std::byte* const image = image::image_base(slot);
  std::vector<arena::Range> ranges{pages_between(stack_begin, image)};
  for (const image::Program::Extent& extent : image::current_program()->writable_extents())
    ranges.push_back(pages_between(image + extent.offset, image + extent.offset + extent.bytes));
  ranges.back() = pages_between(ranges.back().begin, heap_end);
  return ranges;
}

std::vector<arena::Range> pages_of(const Rank& rank) {
  std::vector<arena::Range> unused, touched;
  unused_side_stack(rank, unused);
  const auto slot = static_cast<std::size_t>(rank.id);
  const void* const stack = rank.done ? rank.main.stack_end : stack_in_use(rank.main);
  for (const arena::Range& range : memory_of(slot, stack, rank.heap.top())) {
    std::byte* begin = range.begin;
    std::byte* const end = range.begin + range.bytes;
    for (const arena::Range& hole : unused) {
      if (hole.begin < begin || hole.begin >= end) continue;
      arena::touched_ranges(begin, hole.begin, touched);
      begin = hole.begin + hole.bytes;
    }
    arena::touched_ranges(begin, end, touched);
  }
  return touched;
}

std::uint64_t bytes_to_copy(Rank& rank) {
  PagesCounted& counted = rank.pages_counted;
  const std::uint64_t in_use = bytes_in_use_without_side_stacks(rank);
  if (counted.calls_left > 0) {
    --counted.calls_left;
    // A heap may have shrunk by pages that were never counted, as nothing was written to them.
    const std::uint64_t bytes = counted.bytes + in_use;
    return bytes > counted.in_use ? bytes - counted.in_use : 0;
  }
  counted.calls_between = std::min(2 * counted.calls_between + 1, kMostCallsBetweenCounts - 1);
  counted.calls_left = counted.calls_between;
  counted.in_use = in_use;
  counted.bytes = 0;
  const void* const at = current_fiber() == &rank.main ? __builtin_frame_address(0) : rank.main.context;
  const void* const stack = rank.done                    ? rank.main.stack_end
                            : is_on_stack(rank.main, at) ? at
                                                         : rank.main.stack_begin;
  for (const arena::Range& range : memory_of(static_cast<std::size_t>(rank.id), stack, rank.heap.top()))
    counted.bytes += arena::resident_bytes(range);
  return counted.bytes;
}

}  // namespace skein::move
