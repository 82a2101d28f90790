// SPDX-License-Identifier: Apache-2.0
// The launcher's one thread-local object.
//
// A position-independent executable addresses its own thread-local variables at fixed distances below the
// thread pointer, in the room that an ordinary start would have given it. Skein gives it that room here: the
// block ends exactly at the thread pointer, and its last `kProgramTlsRoom` bytes belong to the program of
// the rank that runs; a switch copies them in and out. This holds only while the block is the executable's
// whole TLS segment: no other `thread_local` may exist in the launcher (checked at start by
// check_thread_block()).
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein {
struct Rank;
struct Fiber;
namespace arena {
class Heap;
}
}  // namespace skein

namespace skein::fiber {

inline constexpr std::size_t kProgramTlsRoom = 64 * 1024;

/// The alignment of the thread pointer, and so the greatest that thread-local data of a program can have.
inline constexpr std::size_t kThreadPointerAlignment = 4096;

struct alignas(kThreadPointerAlignment) ThreadBlock {
  arena::Heap* heap;  ///< the source of malloc(): the running rank's heap, or null for the process's own
  Rank* rank;         ///< the rank that runs on this thread, or null
  Fiber* fiber;       ///< the fiber of that rank
  std::uint64_t calls_until_look;  ///< of that fiber: see poll_in_passing()
  char unused[kThreadPointerAlignment - 4 * sizeof(void*)];
  std::byte program_tls[kProgramTlsRoom];
};

extern constinit thread_local ThreadBlock thread_block __attribute__((tls_model("local-exec")));

/// Returns the thread pointer (x86-64: its own address is its first word).
inline std::byte* thread_pointer() {
  std::byte* p;
  asm("mov %%fs:0, %0" : "=r"(p));
  return p;
}

/// Aborts if the thread block does not end at the thread pointer. Call once at start.
void check_thread_block();

/// Makes allocations the process's own for the scope. Every entry from a rank into the runtime holds one, so
/// that runtime and MPI library state never lands in a slot. Nests. The scope's end must be on the same fiber
/// as its start; a switch between the two is fine, because every switch sets the heap anew: the scheduler
/// saves and restores thread_block.heap with the rank.
class RuntimeScope {
 public:
  RuntimeScope() : saved_(thread_block.heap) { thread_block.heap = nullptr; }
  ~RuntimeScope() { thread_block.heap = saved_; }
  RuntimeScope(const RuntimeScope&) = delete;
  RuntimeScope& operator=(const RuntimeScope&) = delete;

 private:
  arena::Heap* saved_;
};

}  // namespace skein::fiber
