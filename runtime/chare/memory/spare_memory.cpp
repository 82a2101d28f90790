// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/memory/spare_memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "runtime/base/clock.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/memory/memory_parts.hpp"
#include "runtime/chare/memory/shared_blocks.hpp"
#include "skein/chare/element_memory.hpp"
#include "skein/chare/index_table.hpp"
#include "skein/chare/message.hpp"

namespace skein::chare {

namespace {

/// The C library's own limits once a block of 32 MiB, the longest that it takes from the heap, has been
/// freed.
constexpr int kMostKept = 64 * 1024 * 1024, kLongestInHeap = kMostKept / 2;

bool environment_tunes_malloc() {
  for (const char* const name : {"MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_"})
    if (getenv(name)) return true;
  const char* const tunables = getenv("GLIBC_TUNABLES");
  return tunables && strstr(tunables, "glibc.malloc.");
}

/// Idle time before memory is given back, so that programs that wait for each other in each step are not
/// slowed down.
constexpr double kPatienceNs = 1e6;
/// The most bytes of free blocks of one size to keep. If there are more, none is kept: the last of many lie
/// scattered, and each would keep a page.
constexpr std::size_t kKeptBytes = 128 * 1024;
/// malloc_trim() looks at all free memory, so it is not called for fewer bytes known to be free.
constexpr std::size_t kLeastTrimmed = 1024 * 1024;
/// Memory that was given back costs a page fault for each 4 KiB when it is needed again; a forgotten place of
/// an element costs a forwarded call and a message back. Each may take a tenth of a PE's idle time.
constexpr double kFaultingNsPerByte = 0.4, kLearningNs = 1e3, kIdleShare = 0.1;
/// Fewer places are not worth forgetting.
constexpr std::size_t kLeastPlaces = 4096;

void free_blocks_of(std::size_t size) {
  const std::size_t bytes = (size + 1) * kBlockStep;
  if (message_blocks.made[size] * bytes <= kKeptBytes) return;
  while (message_blocks.free[size]) {
    FreeBlock* const block = message_blocks.free[size];
    message_blocks.free[size] = block->next;
    ::operator delete(block);
    --message_blocks.made[size];
    message_blocks.freed_bytes += bytes;
  }
}

void forget_places() {
  std::size_t known = 0;
  for (const auto& array : all_arrays())
    if (array) known += array->places_known() - std::min(array->places_known(), array->live());
  if (known < kLeastPlaces ||
      kIdleShare * memory_parts->idle.since_forgotten_ns < static_cast<double>(known) * kLearningNs)
    return;
  memory_parts->idle.since_forgotten_ns = 0;
  for (const auto& array : all_arrays())
    if (array && !array->divided) array->forget_places_elsewhere();
  message_blocks.freed_bytes += known * sizeof(Place);
}

void count_idle_time(std::uint64_t idle_since) {
  const std::uint64_t now = ticks();
  const double idle_ns = ns_of(now - std::max(idle_since, memory_parts->idle.until));
  memory_parts->idle.since_trim_ns += idle_ns;
  memory_parts->idle.since_forgotten_ns += idle_ns;
  memory_parts->idle.until = now;
}

}  // namespace

void keep_spare_memory() {
  if (environment_tunes_malloc()) return;
  mallopt(M_MMAP_THRESHOLD, kLongestInHeap);
  mallopt(M_TRIM_THRESHOLD, kMostKept);
}

void give_back_memory(std::uint64_t idle_since) {
  if (ns_since(idle_since) < kPatienceNs) return;
  for (std::size_t size = 0; size < kBlockSizes; ++size) free_blocks_of(size);
  count_idle_time(idle_since);
  if (!settings.elements_watched) forget_places();  // watched elements need places to report their fate
  const std::size_t shared = spare_shared_bytes();  // other PEs return blocks while this PE is idle
  if (idle_since == memory_parts->idle.trimmed_at_rest && shared == 0) return;
  // Elements that left, and memory that methods freed, are not counted: assume the maximum.
  const std::size_t freed = (message_blocks.freed_bytes < kLeastTrimmed
                                 ? kMostKept
                                 : std::min<std::size_t>(message_blocks.freed_bytes, kMostKept)) +
                            shared;
  if (kIdleShare * memory_parts->idle.since_trim_ns < static_cast<double>(freed) * kFaultingNsPerByte) return;
  message_blocks.freed_bytes = 0;
  memory_parts->idle.since_trim_ns = 0;
  memory_parts->idle.trimmed_at_rest = idle_since;
  malloc_trim(0);
  give_back_shared_blocks();
}

}  // namespace skein::chare
