// SPDX-License-Identifier: Apache-2.0
// Joint operations: nonblocking and persistent collectives without a fiber (nonblocking.hpp), because each
// member only leaves its data and gets its result. Barriers, and reductions by predefined operations and
// broadcasts of a few bytes, are joint.
//
// A member that starts one leaves its part at the assembly of its PE (assembly.hpp). Several operations may
// be under way there, told apart by tag and, for persistent ones, by start. The last member of a PE combines
// the data of all, and the PEs go on by active messages: up to a few PEs send to each other; more PEs send up
// a tree, and the result comes down. The PE that finds the result writes it for each of its members and
// completes their requests, so that none of them has to run for it. No member's request is complete before
// all have started the operation.
//
// Values that all members know alike decide which calls are joint: never placement.
//
// Ranks may move meanwhile. An assembly's data belongs to one generation of the placement, and a part stays
// with its rank: a rank that goes on after an LB step leaves its parts anew at the PE where it is then. Since
// a meeting ends only when all messages have been taken,
//
//   at the end of a meeting an operation is complete on all members, or on none;
//   every message is of the generation in which it is taken, or of the next, if its receiver is still in the
//   LB step (then it is kept);
//   a member's data is where it was: its buffer belongs to the operation until that is complete.
//
// Not joint are the collectives of intercommunicators, those with --check, whose messages are under the same
// tag, and reductions whose order of combination may matter (--deterministic, operations of the program).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lb/collectives/joint.hpp"
#include "lb/collectives/thresholds.hpp"
#include "runtime/vmpi/coll/meeting/local.hpp"
#include "runtime/vmpi/p2p/request.hpp"
#include "skein/lb/trace.hpp"

namespace skein::vmpi {

/// The call of a member. Trivially copyable.
struct JointWork {
  bool is_joint = false;  ///< false: the other members have no meaning
  trace::Collective what = trace::Collective::barrier;
  int root = kNoRoot;
  std::size_t bytes = 0;  ///< packed, of each member, or of the root of a broadcast
  std::int64_t count = 0;
  Reduction reduction{};  ///< if it is a reduction
  Data brings{}, gets{};  ///< of 0 bytes: none
};

inline bool reduces(trace::Collective what) {
  return what == trace::Collective::allreduce || what == trace::Collective::reduce;
}

inline bool may_be_joint(const Comm& comm) { return !comm.remote && !settings.checking; }
JointWork joint_barrier(const Comm& comm);
JointWork joint_bcast(const Comm& comm, const Data& data, int root);
/// `root`: kNoRoot for an allreduce.
JointWork joint_reduction(const Comm& comm, const Reduction& reduction, const void* input, void* result,
                          std::int64_t count, int root);

/// Makes a request for `work`, which is joint, without starting it. It holds references to the communicator,
/// the type and the operation.
Request& new_joint_request(RankState& state, Comm& comm, int tag, const JointWork& work);
/// Returns the wait for a member that is missing, as far as this PE knows: one of its own members, or else
/// the leader of another PE. Precondition: the operation is under way.
WaitsFor why_joint_waits(const Request& request);

/// Leaves the rank's parts that are under way at the assemblies of its new PE, if ranks have moved. Called
/// from the rank when it goes on after an LB step. Does not switch.
void leave_joint_parts_anew(RankState& state);

// ---- the rest is implementation, for joint_operation.hpp

/// A member's part of an operation. In its slot.
struct JointPart {
  Request* request = nullptr;
  int tag = 0;
  std::uint32_t start = 0;       ///< number of the start, which all members count alike
  std::uint64_t generation = 0;  ///< of the placement in which the part was left last
  /// The addresses of the data, if it is one block outside of thread-local variables; else null.
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  JointWork work;
  std::uint64_t word = 0;     ///< the member's claim: word_of()
  JointPart* next = nullptr;  ///< in the list of the rank's parts that are under way, or of its unused ones
  JointPart* previous = nullptr;
};

}  // namespace skein::vmpi
