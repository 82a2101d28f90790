// SPDX-License-Identifier: Apache-2.0
// Stacks of a rank's fibers beside its main one: of nonblocking collectives, on which operations of the
// program and the MPI underneath run. They are blocks of the slot's heap, so they move with the rank, and
// each has a guard at its lower end. A guard holds on one PE only: it is installed where the rank is, and
// removed before it leaves.
//
//   guard | stack ........ SideStack |
#pragma once

#include <vector>

#include "runtime/rank/rank.hpp"

namespace skein {

struct SideStack {
  SideStack* next = nullptr;  ///< of the rank's
  const Fiber* user = nullptr;

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
/// Its fiber has ended. A few are kept for the next.
void give_back(Rank& rank, SideStack& stack);

/// Before the rank leaves the PE, and when it has arrived.
void remove_side_guards(Rank& rank);
void install_side_guards(Rank& rank);

/// Whether an address that faulted lies in one of these guards.
bool in_side_guard(const Rank& rank, const void* address);
/// Appends what lies below the stack pointers of fibers that do not run: nothing but what functions left
/// behind, in ascending order.
void unused_side_stack(const Rank& rank, std::vector<arena::Range>& out);

}  // namespace skein
