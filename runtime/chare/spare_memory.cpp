// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/spare_memory.hpp"

#include <malloc.h>

#include <new>

#include "runtime/base/clock.hpp"
#include "skein/chare/message.hpp"

namespace skein::chare {
namespace {

/// Programs that wait for each other in each step are not slowed down.
constexpr double patience_ns = 1e6;
/// Of blocks of one size.
constexpr std::size_t kept_bytes = 128 * 1024;
/// malloc_trim() looks at all memory that is free: not for less than this.
constexpr std::size_t least_trimmed = 1024 * 1024;

std::size_t freed_bytes = 0;  // since malloc_trim()

void free_blocks_of(std::size_t size) {
  const std::size_t bytes = (size + 1) * block_step, kept = kept_bytes / bytes;
  while (blocks_made[size] > kept && free_blocks[size]) {
    FreeBlock* const block = free_blocks[size];
    free_blocks[size] = block->next;
    ::operator delete(block);
    --blocks_made[size];
    freed_bytes += bytes;
  }
}

}  // namespace

void give_back_memory(std::uint64_t idle_since) {
  if (ns_since(idle_since) < patience_ns) return;
  for (std::size_t size = 0; size < block_sizes; ++size) free_blocks_of(size);
  if (freed_bytes < least_trimmed) return;
  freed_bytes = 0;
  malloc_trim(0);
}

}  // namespace skein::chare
