// SPDX-License-Identifier: Apache-2.0
// Ranks for the tests of the C library's part, in slots of 16 MiB of a node-shared arena, which a forked
// child shares with its parent as two PEs of a node do. Use it only in a child (tests/unit/arena/child.hpp).
#pragma once

#include <cstring>
#include <new>
#include <span>
#include <type_traits>

#include "runtime/base/check.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/rank/scheduler.hpp"
#include "tests/unit/arena/child.hpp"

namespace skein::test {

inline constexpr int rank_count = 3;

inline void set_up_arena(arena::Backing backing = arena::Backing::node_shared) {
  using namespace arena;
  if (reserved.slot_count != 0) return;
  constexpr std::size_t slot_bytes = kLeastSlotBytes;
  const SlotLayout slots = make_layout(slot_bytes, 256 * 1024, sizeof(Rank) + kColourRoom, kPageBytes);
  const bool shared = backing == Backing::node_shared;
  reserve(slots, rank_count, backing, shared ? create_memory_file(rank_count * slot_bytes) : -1);
  libc::remember_process_id();
}

inline Rank& make_rank(int id, std::span<const char* const> arguments) {
  set_up_arena();
  const auto slot = static_cast<std::size_t>(id);
  auto* rank = new (arena::control_address(slot)) Rank;
  rank->id = id;
  rank->heap.initialise(arena::heap_address(slot), arena::slot_address(slot + 1));
  libc::create_process_state(*rank, arguments);
  return *rank;
}
inline Rank& make_rank(int id) {
  const char* const arguments[] = {"program"};
  return make_rank(id, arguments);
}

/// Lets the thread count as the rank's own code while the object lives.
class AsRank {
 public:
  explicit AsRank(Rank& rank) {
    fiber::thread_block.rank = &rank;
    fiber::thread_block.heap = &rank.heap;
  }
  ~AsRank() {
    fiber::thread_block.rank = nullptr;
    fiber::thread_block.heap = nullptr;
  }
  AsRank(const AsRank&) = delete;
  AsRank& operator=(const AsRank&) = delete;
};

/// Runs `body` as the rank's program, on its own stack, until it ends or blocks.
inline void run_program(Rank& rank, void (*body)()) {
  static void (*program)();
  program = body;
  prepare_main_fiber(rank, [](Fiber&) {
    program();
    libc::exit_rank(0);
  });
  make_ready(rank.main);
  run_ready();
}

inline bool pinned_for(const Rank& rank, const char* words) {
  return rank.pinned_because && strstr(rank.pinned_because, words);
}

/// Returns the function to which a program's reference to `name` is bound; `like` gives the type, as in
/// rank_function("rand", &rand)().
template <class Function>
Function* rank_function(const char* name, Function*) {
  for (const auto& table : libc::override_tables())
    for (const libc::Override& entry : table)
      if (strcmp(entry.name, name) == 0) return reinterpret_cast<Function*>(entry.address);
  SKEIN_CHECK(false, "there is no override of %s", name);
  return nullptr;
}

}  // namespace skein::test

/// The rank's version of a C library function, to be called like it.
#define RANK(function) skein::test::rank_function(#function, &::function)
