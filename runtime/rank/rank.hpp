// SPDX-License-Identifier: Apache-2.0
// The control block of a virtual rank: what the runtime keeps for it, at a fixed place of its slot. It moves
// with the slot, so it holds no pointer into process-private memory (pointers to the launcher's code and
// static data are fine: the launcher has one address everywhere).
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <optional>

#include "runtime/arena/arena.hpp"
#include "runtime/arena/heap.hpp"
#include "runtime/fiber/context.hpp"
#include "runtime/fiber/thread_block.hpp"
#include "runtime/fiber/thread_state.hpp"
#include "runtime/load/meter.hpp"
#include "runtime/load/traffic_log.hpp"
#include "runtime/rank/directory.hpp"
#include "runtime/rank/memory_home.hpp"
#include "runtime/trace/progress.hpp"

namespace skein {
namespace libc {
struct ProcessState;
}
namespace image {
struct LoadedLibraries;
}
namespace vmpi {
struct RankState;
}
namespace trace {
class Stream;
}

/// A rank's heap as a memory resource, for the runtime's containers that move with the rank. Exhaustion ends
/// the job through report_slot_full().
class SlotResource final : public std::pmr::memory_resource {
 public:
  explicit SlotResource(arena::Heap& heap) : heap_(&heap) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
  arena::Heap* heap_;  // in the same slot
};

enum class FiberState : std::uint8_t {
  idle,     ///< not started, or ended
  ready,    ///< in the run queue, or running
  blocked,  ///< until somebody calls make_ready()
  at_sync,  ///< stopped at a sync point that is an LB step
  in_wait   ///< stopped for an LB step, in a call that waits for a message
};

/// The reason of a fiber's wait: static text of the launcher plus numbers, for the deadlock report. Two
/// words, so that it is passed in registers.
struct WaitReason {
  /// Takes up to two values: %d is a number, %r a rank ("rank 3"; "any rank" if it is negative), %t a tag. %b
  /// takes none: " with 8 bytes" that the fiber brings; the bytes that it brought to the call before follow
  /// the text.
  const char* format = nullptr;
  int values[2] = {};
};

/// The bytes that a fiber has for collective calls, for which all ranks must have equally many; 0: unknown,
/// or none.
struct Brings {
  std::uint64_t now = 0;     ///< to the call that the fiber is in
  std::uint64_t before = 0;  ///< to the last call that it has left
};

/// A reason with the numbers for its %b.
struct WaitsFor {
  WaitReason reason;
  Brings brings;
};

/// The reason for which the cause of a fiber's wait itself waits, asked when the deadlock report is written;
/// empty if unknown.
struct WaitsOn {
  WaitsFor (*why)(const void* on) = nullptr;
  const void* on = nullptr;
};

struct SideStack;

/// One flow of control of a rank, with a stack in the rank's slot. Each rank has its main fiber, which runs
/// the program, and one more for every nonblocking collective call under way: so there is one code for a
/// collective, blocking or not.
struct Fiber {
  /// Fields that each switch touches lie together; a rank's main fiber has them in two cache lines, and those
  /// for make_ready() in the first.
  Rank* rank = nullptr;
  fiber::Context context = nullptr;  ///< where it goes on
  Fiber* next_ready = nullptr;
  FiberState state = FiberState::idle;
  std::uint16_t launcher_bytes = 0;       ///< at the end of the stack: frames of the launcher alone
  std::uint32_t calls_between_looks = 1;  ///< see poll_in_passing()
  arena::Heap* active_heap = nullptr;     ///< thread_block.heap at its last switch
  ThreadState thread;
  WaitReason waits_for;
  WaitsOn waits_on;  ///< for the nonblocking collective that it waits for
  Brings brings;
  void (*entry)(Fiber&) = nullptr;  ///< where it starts
  std::byte* stack_begin = nullptr;
  std::byte* stack_end = nullptr;
};

/// The declarations of a rank about itself.
struct Declared {
  double load = -1;  ///< of an interval, in any unit that all ranks use; negative: none declared
  /// The place where the rank works, in any unit that all ranks use: for strategies that look at it.
  std::optional<std::array<float, 3>> position;
};

/// The last count of move::bytes_to_copy(), and when it counts again.
struct PagesCounted {
  std::uint64_t bytes = 0;   ///< of pages that held data
  std::uint64_t in_use = 0;  ///< bytes of the heap in use at that time
  std::uint32_t calls_between = 0;
  std::uint32_t calls_left = 0;
};

/// The stacks of a rank's fibers beside its main one (side_stacks.hpp).
struct SideStacks {
  SideStack* all = nullptr;     ///< used or not
  SideStack* unused = nullptr;  ///< the one that was used last comes first
  std::uint32_t made = 0;       ///< how many there are
  std::uint32_t used = 0;       ///< how many of them have a fiber
  /// Numbers of stacks used at once, in windows of a number of calls of take_side_stack().
  std::uint32_t most_used = 0;         ///< at once, in this window
  std::uint32_t most_used_before = 0;  ///< in the one before
  std::uint32_t takes_left = 0;        ///< in this window
};

struct Rank {
  static constexpr std::uint64_t expected_magic = 0x534b45494e524e4b;  // "SKEINRNK"

  std::uint64_t magic = expected_magic;
  std::int32_t id = 0;
  bool done = false;   ///< its program has ended
  bool stays = false;  ///< its program asked that it be not moved
  /// Fields that every MPI call and every switch touch lie together.
  trace::Stream* stream = nullptr;  ///< of its recording on the PE where it is, if there is one so far
  vmpi::RankState* mpi = nullptr;
  Fiber main;
  std::byte* tls_copy = nullptr;  ///< its program's TLS while none of its fibers runs
  Directory directory;            ///< where its relative paths begin
  load::Meter meter;
  trace::Progress recorded;              ///< nothing unless --trace is given
  const char* pinned_because = nullptr;  ///< why it must not move, or null

  arena::Heap heap;
  SlotResource memory{heap};
  load::TrafficLog traffic{&memory};

  libc::ProcessState* process = nullptr;
  image::LoadedLibraries* libraries = nullptr;  ///< made at its first call of dlopen() and relatives
  PagesCounted pages_counted;
  MemoryHome memory_home;
  SideStacks side_stacks;
  Declared declared;
  /// For lazy balancing: the last sync point at which the rank left its share, and its load then.
  std::uint64_t asked = 0;
  double asked_load = 0;
  /// While the main fiber waits where it may be stopped for an LB step: the count of what it waits for, down
  /// to 0.
  int* waits_for = nullptr;
};

/// Returns the control block of slot `id`. Valid only on the PE that owns the slot.
inline Rank& rank_in_slot(int id) {
  return *reinterpret_cast<Rank*>(arena::control_address(static_cast<std::size_t>(id)));
}

/// Returns the rank whose code called into the runtime, or null on the PE's own stack and on foreign threads.
inline Rank* current_rank() { return fiber::thread_block.rank; }
/// Returns the fiber that runs, or null on the PE's own stack and on foreign threads.
inline Fiber* current_fiber() { return fiber::thread_block.fiber; }

/// Ends the job when the slot has no room for `bytes` more; the message names the rank, the slot's size, what
/// is in use and --slot-size.
[[noreturn]] void report_slot_full(const Rank& rank, std::size_t bytes);
/// Warns, once on each PE, that the slot is full and the program gets a null pointer.
void warn_slot_full(const Rank& rank, std::size_t bytes);

/// Ends the job with a message naming the rank that `heap` belongs to; set as Upcalls::report_bad_block.
void report_bad_block(const arena::Heap& heap, const void* payload, const char* why);

}  // namespace skein
