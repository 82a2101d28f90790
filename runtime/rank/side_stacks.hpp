// SPDX-License-Identifier: Apache-2.0
// Stacks of a rank's fibers beside its main one: of nonblocking collectives, on which operations of the
// program and the MPI underneath run. They are blocks of the slot's heap, so they move with the rank, and
// each has a guard at its lower end. A guard holds on one PE only: it is installed where the rank is, and
// removed before it leaves.
//
//   guard | stack ........ SideStack | colour |
//
// Making a stack takes as long as a hundred collectives, and finding one must not depend on their number. So
// stacks that the rank may soon need again are kept, and those without a fiber are in a list:
//
//   made <= max(most used at once lately, fewest_kept), once as many calls of take_side_stack() have passed
//   used + length of the list of unused ones == made
#pragma once

#include <vector>

#include "runtime/rank/rank.hpp"

namespace skein {

struct SideStack {
  SideStack* next = nullptr;  ///< of all stacks of the rank
  SideStack* previous = nullptr;
  SideStack* next_unused = nullptr;
  const Fiber* user = nullptr;
  std::byte* block = nullptr;  ///< where its guard begins

  arena::Range guard() const;
  std::byte* begin() const;
  std::byte* end() const { return reinterpret_cast<std::byte*>(const_cast<SideStack*>(this)); }
};

/// Returns the size of each, in bytes: as much as a rank's own stack, but at most a part in 1024 of the slot
/// and at least 256 KiB. Only touched pages cost memory.
std::size_t side_stack_bytes();

/// Returns a stack for `user`. From the rank. Ends the job when the slot is full, or at the system's limit of
/// mappings.
SideStack& take_side_stack(Rank& rank, const Fiber& user);
/// Takes back the stack of a fiber that ends: it holds nothing that matters. The fiber itself may call this,
/// and may use the stack until another fiber runs.
void give_back(Rank& rank, SideStack& stack);

/// Removes the guards before the rank leaves the PE, and frees unused stacks; install_side_guards() installs
/// the guards when it has arrived.
void remove_side_guards(Rank& rank);
void install_side_guards(Rank& rank);

/// Appends the pages below the stack pointers of fibers that do not run, which functions left behind, in
/// ascending order.
void unused_side_stack(const Rank& rank, std::vector<arena::Range>& out);
/// Returns the bytes in use of the rank's heap without these stacks, of which next to nothing is ever
/// touched.
std::size_t bytes_in_use_without_side_stacks(const Rank& rank);

}  // namespace skein
