// SPDX-License-Identifier: Apache-2.0
// Joint operations (joint.hpp) at the assemblies of their members, and from PE to PE.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/vmpi/coll/joint.hpp"

namespace skein::vmpi {

/// One that is under way at an assembly. Memory of the process.
struct JointOperation {
  int tag = 0;
  std::uint32_t start = 0;  ///< of a persistent one: a PE may be at its next start before others hear of all
  trace::Collective what = trace::Collective::barrier;
  std::size_t bytes = 0;          ///< of what is in `brought`, each
  std::size_t arrived = 0;        ///< members on this PE
  std::uint8_t heard = 0;         ///< PEs whose bytes are here: of each a bit, by JointTree::place_of()
  bool mismatched = false;        ///< members make different calls: the job ends
  bool combined = false;          ///< what the members on this PE have brought
  std::vector<JointPart*> parts;  ///< by index among the members
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  /// Packed, side by side: of the members, by index, combined into the first once all have come; then of
  /// other PEs, by rank of the leader, or by which child of this PE they are.
  std::vector<Line> brought;
  std::vector<Line> outcome;  ///< of what a few PEs have; or the data of a broadcast, once it is here
  bool has_outcome = false;
  std::size_t outcome_bytes = 0;
};

/// What a member brings gets to the assembly of the PE that its rank is on. May complete the operation, and
/// then others' requests with it. From the rank; does not switch.
void leave_part(JointPart& part);

/// Who is missing, as far as this PE knows: one of its own members, or else who speaks for those of another
/// PE. Precondition: the part was left, and its operation is not complete.
WaitReason why_waits(const JointPart& part);

/// Registers the transport's handler. Once, before the first message, on every PE.
void start_joint_operations();

}  // namespace skein::vmpi
