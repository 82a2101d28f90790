// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/joint/joint.hpp"

#include <new>

#include "runtime/vmpi/coll/joint/joint_operation.hpp"
#include "runtime/vmpi/p2p/start.hpp"
#include "runtime/vmpi/record/collectives.hpp"

namespace skein::vmpi {

using trace::Collective;

namespace {

JointPart& part_of(const Request& request) { return *static_cast<JointPart*>(request.part); }

}  // namespace

// ---- which calls are joint

JointWork joint_barrier(const Comm& comm) {
  JointWork work;
  work.is_joint = may_be_joint(comm);
  return work;
}

JointWork joint_bcast(const Comm& comm, const Data& data, int root) {
  JointWork work;
  if (!may_be_joint(comm) || data.bytes > collectives::kLongestJoint) return work;
  work.is_joint = true;
  work.what = Collective::bcast;
  work.root = root;
  work.bytes = data.bytes;
  (comm.rank == root ? work.brings : work.gets) = data;
  return work;
}

JointWork joint_reduction(const Comm& comm, const Reduction& reduction, const void* input, void* result,
                          std::int64_t count, int root) {
  JointWork work;
  if (!may_be_joint(comm) || !reduction_assembles(reduction, count) || !reduction.is_dense() ||
      reduction.bytes(count) > collectives::kLongestJoint)
    return work;
  work.is_joint = true;
  work.what = root == kNoRoot ? Collective::allreduce : Collective::reduce;
  work.root = root;
  work.bytes = reduction.bytes(count);
  work.count = count;
  work.reduction = reduction;
  work.brings = reduction.elements(input, 0, count);
  if (root == kNoRoot || root == comm.rank) work.gets = reduction.elements(result, 0, count);
  return work;
}

// ---- requests

Request& new_joint_request(RankState& state, Comm& comm, int tag, const JointWork& work) {
  Request& request = new_request(state, RequestKind::joint, &comm);
  void* room = state.unused_joint_parts;
  if (room)
    state.unused_joint_parts = state.unused_joint_parts->next;
  else
    room = state.memory.allocate(sizeof(JointPart), alignof(JointPart));
  const auto block = [](const Data& data) {
    return data.bytes > 0 && !data.switched_out ? data.contiguous() : nullptr;
  };
  auto* const part = new (room) JointPart{
      .request = &request, .tag = tag, .from = block(work.brings), .to = block(work.gets), .work = work};
  part->word = word_of(work);
  request.part = part;
  return request;
}

void start_joint(Request& request) {
  JointPart& part = part_of(request);
  RankState& state = *request.owner;
  if (trace::recording) [[unlikely]]
    record_collective_start(request,
                            collective_event(part.work.what, *request.comm, part.work.bytes,
                                             part.work.root == kNoRoot ? kWithoutRoot : part.work.root),
                            part.tag);
  ++part.start;
  request.active = true;
  request.complete = false;
  request.error = MPI_SUCCESS;
  part.previous = nullptr;
  part.next = state.joint_parts;
  if (part.next) part.next->previous = &part;
  state.joint_parts = &part;
  leave_part(part);
  (void)poll_in_passing();
}

void release_joint(Request& request) {
  JointPart& part = part_of(request);
  const JointWork& work = part.work;
  if (reduces(work.what)) {
    work.reduction.type->release();
    work.reduction.op->release();
  } else if (work.what == Collective::bcast && (work.brings.type || work.gets.type)) {
    (work.brings.type ? work.brings.type : work.gets.type)->release();
  }
  RankState& state = *request.owner;
  part.next = state.unused_joint_parts;
  state.unused_joint_parts = &part;
}

WaitsFor why_joint_waits(const Request& request) { return why_waits(part_of(request)); }

void leave_joint_parts_anew(RankState& state) {
  for (JointPart* part = state.joint_parts; part;) {
    JointPart* const next = part->next;  // of another operation, so leave_part() does not complete it
    if (part->generation != pe::location->placement_generation) leave_part(*part);
    part = next;
  }
}

}  // namespace skein::vmpi
