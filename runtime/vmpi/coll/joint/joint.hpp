// SPDX-License-Identifier: Apache-2.0
// Joint operations: nonblocking and persistent collectives that have no fiber (nonblocking.hpp), because all
// that a member does for one is to leave what it brings, and to get what comes of it. Barriers are made so,
// and reductions by predefined operations and broadcasts, both of a few bytes.
//
// A member that starts one leaves its part at the assembly of its PE (assembly.hpp), where several operations
// may be under way, told apart by tag and, as persistent ones keep theirs, by start. The last member of a PE
// combines what all have brought, and the PEs go on by active messages: a few of them give each what they
// have; of more, it goes up a tree and what comes of it down. In the end every member's result is where it
// wants it, and its request is complete: whoever finds that writes both, so that nobody has to run for it.
// All members are in the operation until then: none is complete before all have started it.
//
// Which calls are joint follows from what all members know alike, wherever they are: never from placement.
//
// Ranks may move meanwhile. What is at an assembly is of one generation of the placement, and a part stays
// with its rank: a rank that goes on after an LB step leaves anew what it has under way, where it then is.
// For a meeting ends only when all messages have been taken, so that
//
//   at the end of a meeting an operation is complete on all members, or on none;
//   every message is of the generation in which it is taken, or of the next, if its receiver is still in the
//   LB step (then it is kept);
//   what a member brings is where it was: its buffer is the operation's until that is complete.
//
// Not joint are those of intercommunicators, those with --check, whose messages are under the same tag, and
// reductions whose order of combination may matter (--deterministic, operations of the program).
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

/// What a member calls. Trivially copyable.
struct JointWork {
  bool is_joint = false;  ///< else the rest says nothing
  trace::Collective what = trace::Collective::barrier;
  int root = kNoRoot;
  std::size_t bytes = 0;  ///< that each brings, or the root of a broadcast; packed
  std::int64_t count = 0;
  Reduction reduction{};  ///< of reductions
  Data brings{}, gets{};  ///< without bytes: nothing
};

inline bool reduces(trace::Collective what) {
  return what == trace::Collective::allreduce || what == trace::Collective::reduce;
}

inline bool may_be_joint(const Comm& comm) { return !comm.remote && !settings.checking; }
JointWork joint_barrier(const Comm& comm);
JointWork joint_bcast(const Comm& comm, const Data& data, int root);
/// `root`: kNoRoot of an allreduce.
JointWork joint_reduction(const Comm& comm, const Reduction& reduction, const void* input, void* result,
                          std::int64_t count, int root);

/// A request, not started, for `work`, which is joint. Holds references to the communicator, the type and the
/// operation.
Request& new_joint_request(RankState& state, Comm& comm, int tag, const JointWork& work);
/// Who is missing, as far as this PE knows: one of its own members, or else who speaks for those of another
/// PE. Precondition: it is under way.
WaitsFor why_joint_waits(const Request& request);

/// Leaves anew what the rank has under way, if ranks have moved. From the rank, when it goes on after an LB
/// step. Does not switch.
void leave_joint_parts_anew(RankState& state);

// ---- the rest is for joint_operation.hpp

/// What a member has of an operation. In its slot.
struct JointPart {
  Request* request = nullptr;
  int tag = 0;
  std::uint32_t start = 0;       ///< how often it was started, which all members count alike
  std::uint64_t generation = 0;  ///< of the placement in which it was left last
  /// Where the bytes are, if they are one block and no thread-local variables; else null.
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  JointWork work;
  std::uint64_t word = 0;     ///< what it claims: word_of()
  JointPart* next = nullptr;  ///< of those under way of the rank; or of its unused ones
  JointPart* previous = nullptr;
};

}  // namespace skein::vmpi
