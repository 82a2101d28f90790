// SPDX-License-Identifier: Apache-2.0
// Stacks of a rank's fibers beside its main one: of nonblocking collectives, on which operations of the
// program and the MPI underneath run. They are blocks of the slot's heap, so they move with the rank, and
// each has a guard at its lower end. A guard holds on one PE only: it is installed where the rank is, and
// removed before it leaves.
//
//   guard | stack ........ SideStack | colour |
//
// To make one takes as long as a hundred collectives, and to find one must not depend on how many there are.
// So those are kept that the rank's use of late may need again, and those that no fiber has are in a list:
//
//   made <= max(most used at once lately, fewest_kept), once as many calls of take_side_stack() have passed
//   used + length of the list of unused ones == made
#pragma once

#include <vector>

#include "runtime/rank/rank.hpp"

namespace skein {

struct SideStack {
  SideStack* next = nullptr;  ///< of all of the rank's
  SideStack* previous = nullptr;
  SideStack* next_unused = nullptr;
  const Fiber* user = nullptr;
  std::byte* block = nullptr;  ///< where its guard begins

  arena::Range guard() const;
  std::byte* begin() const;
  std::byte* end() const { return reinterpret_cast<std::byte*>(const_cast<SideStack*>(this)); }
};

/// What each has, in bytes: as much as a rank's own stack, but at least 256 KiB and else at most a part in
/// 1024 of the slot. Only what is touched costs memory.
std::size_t side_stack_bytes();

/// A stack for `user`. From the rank. Ends the job when the slot is full, or at the system's limit of
/// mappings.
SideStack& take_side_stack(Rank& rank, const Fiber& user);
/// Its fiber ends: nothing that matters is on it any more. Also from that fiber itself, which may use it
/// until another one runs.
void give_back(Rank& rank, SideStack& stack);

/// Before the rank leaves the PE, and when it has arrived. Those that no fiber has do not go along.
void remove_side_guards(Rank& rank);
void install_side_guards(Rank& rank);

/// Appends what lies below the stack pointers of fibers that do not run: nothing but what functions left
/// behind, in ascending order.
void unused_side_stack(const Rank& rank, std::vector<arena::Range>& out);
/// What the rank's heap has in use without these stacks, of which next to nothing is ever touched.
std::size_t bytes_in_use_without_side_stacks(const Rank& rank);

}  // namespace skein
