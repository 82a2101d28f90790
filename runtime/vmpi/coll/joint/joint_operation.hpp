// SPDX-License-Identifier: Apache-2.0
// Joint operations (joint.hpp) at the assemblies of their members, and from PE to PE.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "runtime/vmpi/coll/joint/joint.hpp"
#include "runtime/vmpi/coll/meeting/claim.hpp"

namespace skein::vmpi {

/// What a member claims (claim.hpp), and its world rank.
struct JointClaim {
  std::uint64_t word = 0;
  int by = 0;
};

/// One that is under way at an assembly. Memory of the process.
struct JointOperation {
  int tag = 0;
  std::uint32_t start = 0;  ///< of a persistent one: a PE may be at its next start before others hear of all
  trace::Collective what = trace::Collective::barrier;
  std::size_t bytes = 0;             ///< of what is in `brought`, each
  std::size_t arrived = 0;           ///< members on this PE
  std::uint8_t heard = 0;            ///< PEs whose bytes are here: of each a bit, by JointTree::place_of()
  bool combined = false;             ///< what the members on this PE have brought
  JointClaim claim;                  ///< the first that came here
  std::optional<JointClaim> unlike;  ///< another: the job ends, once a member here can be told of
  std::vector<JointPart*> parts;     ///< by index among the members
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  /// Packed, side by side: of the members, by index, combined into the first once all have come; then of
  /// other PEs, by rank of the leader, or by which child of this PE they are.
  std::vector<Line> brought;
  std::vector<Line> outcome;  ///< of what a few PEs have; or the data of a broadcast, once it is here
  bool has_outcome = false;
  std::size_t outcome_bytes = 0;
  JointOperation* next = nullptr;  ///< in its list of a JointTable
};

/// Those under way at an assembly, found by tag and start in the same time however many there are; and room
/// for others. Tags and starts are given out one after the other, so most lists have one at most.
class JointTable {
 public:
  /// Null if there is none.
  JointOperation* find(int tag, std::uint32_t start) const {
    if (lists_.empty()) return nullptr;
    JointOperation* operation = lists_[list_of(tag, start)];
    while (operation && !(operation->tag == tag && operation->start == start)) operation = operation->next;
    return operation;
  }
  /// A new one, of which these two are set. `members`: on this PE.
  JointOperation& add(int tag, std::uint32_t start, std::size_t members);
  void remove(JointOperation& operation);

 private:
  std::size_t list_of(int tag, std::uint32_t start) const {
    return (static_cast<unsigned>(tag) + start) & (lists_.size() - 1);
  }
  void grow();

  std::vector<JointOperation*> lists_;  // none, or a power of two
  std::size_t count_ = 0;               // under way
  std::deque<JointOperation> made_;
  JointOperation* unused_ = nullptr;  // linked by `next`
};

/// What a member claims of such work.
std::uint64_t word_of(const JointWork& work);

/// What a member brings gets to the assembly of the PE that its rank is on. May complete the operation, and
/// then others' requests with it. From the rank; does not switch.
void leave_part(JointPart& part);

/// Who is missing, as far as this PE knows: one of its own members, or else who speaks for those of another
/// PE. Precondition: the part was left, and its operation is not complete.
WaitsFor why_waits(const JointPart& part);

}  // namespace skein::vmpi
