// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/rank.hpp"

#include <signal.h>

#include <string>

#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"
#include "runtime/rank/end_job.hpp"

namespace skein {

void* SlotResource::do_allocate(std::size_t bytes, std::size_t alignment) {
  void* p = alignment <= 16 ? heap_->allocate(bytes) : heap_->allocate_aligned(alignment, bytes);
  if (!p) report_slot_full(rank_in_slot(static_cast<int>(arena::slot_of(this))), bytes);
  return p;
}

void SlotResource::do_deallocate(void* p, std::size_t, std::size_t) { heap_->release(p); }

namespace {

/// Returns a text like "its slot is full: ...".
std::string describe_full_slot(const Rank& rank, std::size_t bytes) {
  constexpr double mib = 1024.0 * 1024.0;
  return format(
      "its slot is full: %zu bytes more were asked for, %.1f MiB of %.1f MiB are in use; give it more with "
      "--slot-size",
      bytes, static_cast<double>(rank.heap.bytes_in_use()) / mib,
      static_cast<double>(arena::reserved.layout.slot_bytes) / mib);
}

}  // namespace

void report_slot_full(const Rank& rank, std::size_t bytes) {
  fiber::RuntimeScope runtime;
  end_job(rank, 1, "%s", describe_full_slot(rank, bytes).c_str());
}

void warn_slot_full(const Rank& rank, std::size_t bytes) {
  fiber::RuntimeScope runtime;
  warn_once("rank %d: %s. Its program got a null pointer (ENOMEM)", rank.id,
            describe_full_slot(rank, bytes).c_str());
}

void report_bad_block(const arena::Heap& heap, const void* payload, const char* why) {
  end_job(rank_in_slot(static_cast<int>(arena::slot_of(&heap))), 128 + SIGABRT,
          "%p was given to free() or realloc(): %s. To find out where the program spoils its heap, build it "
          "with -fsanitize=address and run it under the mpirun of another MPI",
          payload, why);
}

}  // namespace skein
