// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/collective_call.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "lb/collectives/thresholds.hpp"

namespace skein::simulate {
namespace {

/// The head of each frame: its memory and its size.
struct alignas(__STDCPP_DEFAULT_NEW_ALIGNMENT__) FrameHead {
  std::pmr::memory_resource* memory;
  std::size_t bytes;
};

}  // namespace

void* Playing::promise_type::allocate(std::size_t bytes, std::pmr::memory_resource& memory) {
  void* const room = memory.allocate(sizeof(FrameHead) + bytes, alignof(FrameHead));
  return new (room) FrameHead{&memory, bytes} + 1;
}

void Playing::promise_type::operator delete(void* frame, std::size_t) {
  FrameHead* const head = static_cast<FrameHead*>(frame) - 1;
  head->memory->deallocate(head, sizeof(FrameHead) + head->bytes, alignof(FrameHead));
}

std::pmr::memory_resource& Ring::memory() const { return call_.memory(); }

bool Ring::is_crowded() const {
  return collectives::is_crowded(members_.size(), call_.world().machine.pes());
}

void Ring::send_to(ObjectIndex object, std::uint64_t bytes) {
  CollectiveWorld& world = call_.world();
  const ObjectIndex self = world.waits.object_of(call_.task());
  const Sending sending{.channel = {object, self, call_.channel_communicator(), call_.tag()},
                        .bytes = bytes,
                        .mode = trace::SendMode::standard,
                        .logged = logged_};
  if (!world.messages.start_send(sending, {call_.task(), kNone})) world.waits.expect(call_.task());
}

void Ring::receive_from(ObjectIndex object) {
  CollectiveWorld& world = call_.world();
  const ObjectIndex self = world.waits.object_of(call_.task());
  const MessageKey channel{self, object, call_.channel_communicator(), call_.tag()};
  if (!world.messages.start_receive(channel, {call_.task(), kNone})) world.waits.expect(call_.task());
}

void Ring::send(int to, std::uint64_t bytes) { send_to(members_[static_cast<std::size_t>(to)], bytes); }
void Ring::receive(int from) { receive_from(members_[static_cast<std::size_t>(from)]); }

bool Ring::AwaitAll::await_ready() const { return call.world().waits.may_go_on(call.task()); }
void Ring::AwaitAll::await_suspend(std::coroutine_handle<> here) const { call.suspend_at(here); }

CollectiveCall::CollectiveCall(CollectiveWorld& world, TaskId task, ObjectIndex self,
                               const trace::Event& event, bool blocking)
    : world_(world),
      task_(task),
      kind_(static_cast<trace::Collective>(event.what)),
      blocking_(blocking),
      bytes_(event.bytes),
      list_(event.list.begin(), event.list.end()),
      pair_(world.groups.of(event.communicator)) {
  own_ = &pair_.local;
  others_ = &pair_.remote;
  rank_ = own_->rank_of(self);
  if (rank_ == kNone) {
    std::swap(own_, others_);
    rank_ = own_->rank_of(self);
  }
  if (rank_ == kNone)
    throw trace::TraceError("rank " + std::to_string(self) + " calls a collective of communicator " +
                            std::to_string(event.communicator) + ", of which it is no member");
  number_ = own_->next_number(rank_, event.tag);
  const std::uint32_t members = (pair_.inter() ? others_ : own_)->size();
  if (!list_.empty() && list_.size() < members)
    throw trace::TraceError("a collective of rank " + std::to_string(self) + " on communicator " +
                            std::to_string(event.communicator) + " tells of " + std::to_string(list_.size()) +
                            " members, of " + std::to_string(members) + " that there are");
  if (event.partner >= 0) {
    root_ = own_->rank_of(static_cast<ObjectIndex>(event.partner));
    root_is_ours_ = root_ != kNone;
    if (!root_is_ours_) root_ = others_->rank_of(static_cast<ObjectIndex>(event.partner));
    if (root_ == kNone)
      throw trace::TraceError("the root of a collective of rank " + std::to_string(self) + ", rank " +
                              std::to_string(event.partner) + ", is no member of communicator " +
                              std::to_string(event.communicator));
  }
}

bool CollectiveCall::resume() {
  if (!playing_.handle()) {
    playing_ = pair_.inter() ? play_between(*this) : play(*this);
    resume_at_ = playing_.handle();
  }
  resume_at_.resume();
  return playing_.done();
}

bool CollectiveCall::assembles() {
  if (!blocking_ || own_->size() == 1) return false;
  own_->place(world_.pe_of, world_.generation, world_.machine.nodes(), world_.leader_on_pe);
  return own_->assembles();
}

namespace {

std::uint32_t place_among(std::span<const ObjectIndex> members, ObjectIndex self) {
  return static_cast<std::uint32_t>(std::ranges::find(members, self) - members.begin());
}

}  // namespace

Ring CollectiveCall::node_leaders() {
  const ObjectIndex self = own_->members()[rank_];
  const auto leaders = own_->leaders_on_node(node());
  return {*this, leaders, place_among(leaders, self), false};
}

Ring CollectiveCall::first_leaders() { return {*this, own_->first_leaders(), node(), false}; }

std::uint32_t CollectiveCall::node_of_leader(std::uint32_t leader) const {
  return world_.machine.nodes().of(world_.pe_of[own_->leaders()[leader]]);
}

std::uint32_t CollectiveCall::place_on_node(std::uint32_t leader) const {
  return place_among(own_->leaders_on_node(node_of_leader(leader)), own_->leaders()[leader]);
}

bool CollectiveCall::Assemble::await_ready() {
  Group& group = *call.own_;
  Assembly& assembly = group.assembly(group.assembly_of(call.rank_));
  if (assembly.arrived == 0)
    assembly.kind = call.kind_;
  else if (assembly.kind != call.kind_)
    throw SimulationError("mismatched collectives on communicator " + std::to_string(call.pair_.id) +
                          ": its rank " + std::to_string(call.rank_) +
                          " makes another call than ranks that came before it. Either the program did so, or "
                          "the trace was changed");
  if (counted) call.bring_pieces(assembly);
  const auto members = group.members_of(assembly);
  const ObjectIndex self = group.members()[call.rank_];
  const bool last = ++assembly.arrived == assembly.members;
  completes = group.alone() ? last : self == members[0];
  if (last && completes) return true;
  if (last) call.world_.machine.make_ready(call.world_.pe_of[self], members[0]);
  return false;
}

bool CollectiveCall::is_joint() const {
  if (blocking_ || pair_.inter() || bytes_ > collectives::kLongestJoint) return false;
  const bool reduces = kind_ == trace::Collective::reduce || kind_ == trace::Collective::allreduce;
  return kind_ == trace::Collective::barrier || kind_ == trace::Collective::bcast || (reduces && bytes_ > 0);
}

JointOperation& CollectiveCall::joint() { return own_->joint(number_, kind_); }

bool CollectiveCall::Join::await_ready() {
  Group& group = *call.own_;
  group.place(call.world_.pe_of, call.world_.generation, call.world_.machine.nodes(),
              call.world_.leader_on_pe);
  JointOperation& operation = call.joint();
  if (operation.kind != call.kind_)
    throw SimulationError("mismatched collectives on communicator " + std::to_string(call.pair_.id) +
                          ": its rank " + std::to_string(call.rank_) +
                          " starts another call than ranks that came before it. Either the program did so, "
                          "or the trace was changed");
  operation.tasks[call.rank_] = call.task_;
  const std::uint32_t assembly = operation.assembly_of[call.rank_];
  if (--operation.missing[assembly] > 0) return false;
  if (call.leads()) return true;
  const ObjectIndex leader = operation.leaders[assembly];
  call.world_.machine.make_ready(call.world_.pe_of[leader], operation.tasks[group.rank_of(leader)]);
  return false;
}

bool CollectiveCall::leads() {
  const JointOperation& operation = joint();
  return operation.leaders[operation.assembly_of[rank_]] == own_->members()[rank_];
}

Ring CollectiveCall::joint_leaders() {
  const JointOperation& operation = joint();
  return {*this, operation.leaders, operation.assembly_of[rank_], false};
}

void CollectiveCall::dismiss_joint() {
  const JointOperation& operation = joint();
  for (std::uint32_t rank = 0; rank < own_->size(); ++rank)
    if (rank != rank_ && operation.assembly_of[rank] == operation.assembly_of[rank_])
      world_.machine.make_ready(world_.pe_of[own_->members()[rank]], operation.tasks[rank]);
}

void CollectiveCall::leave_joint() {
  if (++joint().left == own_->size()) own_->end_joint(number_);
}

/// Adds this member's pieces. Only the root knows all lengths of a scatter, others know their own.
void CollectiveCall::bring_pieces(Assembly& assembly) {
  assembly.outgoing.resize(own_->leaders().size(), 0);
  const auto bring = [&](std::uint32_t to, std::uint64_t bytes) {
    assembly.outgoing[own_->assembly_of(to)] += bytes;
  };
  switch (kind_) {
    case trace::Collective::gatherv:
      if (rank_ != root_) bring(root_, bytes_);
      return;
    case trace::Collective::allgatherv:
      for (std::uint64_t& bytes : assembly.outgoing) bytes += bytes_;
      return;
    default:  // scatterv: the root's list; alltoallv
      if (kind_ == trace::Collective::scatterv && rank_ != root_) return;
      for (std::uint32_t to = 0; to < own_->size(); ++to) bring(to, list_.empty() ? bytes_ : list_[to]);
  }
}

void CollectiveCall::dismiss() {
  Assembly& assembly = own_->assembly(own_->assembly_of(rank_));
  assembly.arrived = 0;
  assembly.outgoing.clear();
  const ObjectIndex self = own_->members()[rank_];
  for (const ObjectIndex member : own_->members_of(assembly))
    if (member != self) world_.machine.make_ready(world_.pe_of[self], member);
}

}  // namespace skein::simulate
