// SPDX-License-Identifier: Apache-2.0
// Joint operations (joint.hpp) at the assemblies of their members, and between PEs.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "runtime/vmpi/coll/joint/joint.hpp"
#include "runtime/vmpi/coll/meeting/claim.hpp"

namespace skein::vmpi {

/// A member's claim (claim.hpp), and its world rank.
struct JointClaim {
  std::uint64_t word = 0;
  int by = 0;
};

/// An operation that is under way at an assembly. Memory of the process.
struct JointOperation {
  int tag = 0;
  std::uint32_t start = 0;  ///< of a persistent operation: a PE may be at its next start before others know
                            ///< that the last is complete
  trace::Collective what = trace::Collective::barrier;
  std::size_t bytes = 0;             ///< of each operand in `brought`
  std::size_t arrived = 0;           ///< number of members on this PE that have arrived
  std::uint8_t heard = 0;            ///< PEs whose bytes are here: one bit each, by JointTree::place_of()
  bool combined = false;             ///< whether the operands of this PE's members are combined
  JointClaim claim;                  ///< the first claim that came here
  std::optional<JointClaim> unlike;  ///< another claim: the job ends, once a member here can be named
  std::vector<JointPart*> parts;     ///< by index among the members
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  /// Packed operands, side by side: those of the members by index, combined into the first once all have
  /// come; then those of other PEs, by rank of the leader, or by place among the children of this PE.
  std::vector<Line> brought;
  std::vector<Line> outcome;  ///< result of a few PEs; or the data of a broadcast, once it is here
  bool has_outcome = false;
  std::size_t outcome_bytes = 0;
  JointOperation* next = nullptr;  ///< in its list of a JointTable
};

/// The operations under way at an assembly, found by tag and start in a time that does not grow with their
/// number, and unused objects for others. Tags and starts are given out one after the other, so most lists
/// have at most one operation.
class JointTable {
 public:
  /// Returns the operation of this tag and start, or null.
  JointOperation* find(int tag, std::uint32_t start) const {
    if (lists_.empty()) return nullptr;
    JointOperation* operation = lists_[list_of(tag, start)];
    while (operation && !(operation->tag == tag && operation->start == start)) operation = operation->next;
    return operation;
  }
  /// Adds a new operation with this tag and start set. `members`: their number on this PE.
  JointOperation& add(int tag, std::uint32_t start, std::size_t members);
  void remove(JointOperation& operation);

 private:
  std::size_t list_of(int tag, std::uint32_t start) const {
    return (static_cast<unsigned>(tag) + start) & (lists_.size() - 1);
  }
  void grow();

  std::vector<JointOperation*> lists_;  // none, or a power of two
  std::size_t count_ = 0;               // operations under way
  std::deque<JointOperation> made_;
  JointOperation* unused_ = nullptr;  // linked by `next`
};

/// Returns the claim of a member that makes this call.
std::uint64_t word_of(const JointWork& work);

/// Leaves a member's part at the assembly of the PE that its rank is on. May complete the operation, and with
/// it the requests of other members. Called from the rank; does not switch.
void leave_part(JointPart& part);

/// Returns the wait for a member that is missing, as far as this PE knows: one of its own members, or else
/// the leader of another PE. Precondition: the part was left, and its operation is not complete.
WaitsFor why_waits(const JointPart& part);

}  // namespace skein::vmpi
