// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/spare_memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <new>

#include "runtime/base/clock.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/array_directory.hpp"
#include "skein/chare/element_memory.hpp"
#include "skein/chare/index_table.hpp"
#include "skein/chare/message.hpp"

namespace skein::chare {
namespace {

/// Programs that wait for each other in each step are not slowed down.
constexpr double patience_ns = 1e6;
/// Of blocks of one size, no more than these are kept. Of more, none is: the last of many lie anywhere, and
/// each would keep a page.
constexpr std::size_t kept_bytes = 128 * 1024;
/// malloc_trim() looks at all memory that is free: not for less than this.
constexpr std::size_t least_trimmed = 1024 * 1024;

/// Being told anew where an element is takes a call that goes on and a message back. A tenth of the time in
/// which a PE has nothing to do may be lost to that.
constexpr double learning_ns = 1e3, idle_share = 0.1;
/// Fewer are not worth it.
constexpr std::size_t least_places = 4096;

std::size_t freed_bytes = 0;   // since malloc_trim()
double idle_ns = 0;            // since places were forgotten
std::uint64_t idle_until = 0;  // ticks: counted so far
const BegunAnew<idle_ns, idle_until> with_runtime;

void free_blocks_of(std::size_t size) {
  const std::size_t bytes = (size + 1) * block_step;
  if (blocks_made[size] * bytes <= kept_bytes) return;
  while (free_blocks[size]) {
    FreeBlock* const block = free_blocks[size];
    free_blocks[size] = block->next;
    ::operator delete(block);
    --blocks_made[size];
    freed_bytes += bytes;
  }
}

void forget_places() {
  std::size_t known = 0;
  for (const auto& array : all_arrays())
    if (array) known += array->places_known() - std::min(array->places_known(), array->live());
  if (known < least_places || idle_share * idle_ns < static_cast<double>(known) * learning_ns) return;
  idle_ns = 0;
  for (const auto& array : all_arrays())
    if (array && !array->divided) array->forget_places_elsewhere();
  freed_bytes += known * sizeof(Place);
}

void count_idle_time(std::uint64_t idle_since) {
  const std::uint64_t now = ticks();
  idle_ns += ns_of(now - std::max(idle_since, idle_until));
  idle_until = now;
}

}  // namespace

void give_back_memory(std::uint64_t idle_since) {
  if (ns_since(idle_since) < patience_ns) return;
  for (std::size_t size = 0; size < block_sizes; ++size) free_blocks_of(size);
  count_idle_time(idle_since);
  if (!elements_watched) forget_places();  // of them is told what has become of them
  if (freed_bytes < least_trimmed) return;
  freed_bytes = 0;
  malloc_trim(0);
}

}  // namespace skein::chare
