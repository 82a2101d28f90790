// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/lazy_deciders.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "skein/lb/strategy.hpp"

namespace skein::simulate {

LazyDeciders::LazyDeciders(const Policy& policy, Balancer& balancer, TaskId task)
    : policy_(policy),
      balancer_(balancer),
      leader_(static_cast<PeIndex>(balancer.computing_pes())),
      deciders_(static_cast<PeIndex>(policy.mode.reserved_pes())),
      task_(task),
      calls_mpi_(deciders_ > 1 || lb::may_call_mpi(policy.strategy)),
      coordinator_(leader_) {}

// ---- messages

void send(Machine& machine, PeIndex from, PeIndex to, const LazyMessage& message, std::uint64_t bytes) {
  const MessageIndex index = machine.messages().add();
  Message& sent = machine.messages()[index];
  sent.kind = MessageKind::lazy;
  sent.tag = static_cast<std::int32_t>(message.kind);
  sent.sender = message.member;
  sent.bytes = message.point;
  machine.send(index, from, to, bytes);
}

void send_share(Machine& machine, PeIndex member, PeIndex decider, lb::lazy::Point point,
                std::uint64_t bytes) {
  using Kind = LazyMessage::Kind;
  for (; bytes > kLazyPieceBytes; bytes -= kLazyPieceBytes)
    send(machine, member, decider, {.kind = Kind::piece, .member = member, .point = point},
         kLazyMessageBytes + kLazyPieceBytes);
  send(machine, member, decider, {.kind = Kind::share, .member = member, .point = point},
       kLazyMessageBytes + bytes);
}

LazyMessage take_lazy(Machine& machine, MessageIndex index) {
  const Message message = machine.messages()[index];
  machine.messages().remove(index);
  return {
      .kind = static_cast<LazyMessage::Kind>(message.tag), .member = message.sender, .point = message.bytes};
}

void LazyDeciders::notify_members(Machine& machine, Kind kind, Point point) {
  for (PeIndex pe = 0; pe < leader_; ++pe) send(machine, leader_, pe, {.kind = kind, .point = point});
}

void LazyDeciders::take(Machine& machine, PeIndex pe, const LazyMessage& message) {
  switch (message.kind) {
    case Kind::piece:
      return;
    case Kind::begin:
      return send(machine, pe, leader_,
                  {.kind = Kind::begun, .member = pe, .point = static_cast<Point>(machine.clock(pe))},
                  kLazyBegunBytes);
    case Kind::begun:
      return receive_begun(machine, static_cast<Ns>(message.point));
    default:
      if (pe != leader_) return send(machine, pe, leader_, message);
      receive(machine, message);
  }
}

void LazyDeciders::receive(Machine& machine, const LazyMessage& message) {
  switch (message.kind) {
    case Kind::share:
      coordinator_.share(message.member, message.point);
      break;
    case Kind::dry:
      coordinator_.dry(message.member, message.point);
      break;
    default:
      if (const auto stop = coordinator_.promised(coordinator_.about(), message.point)) {
        notify_members(machine, Kind::agreed, *stop);
        std::erase_if(told_, [&](const auto& each) { return !coordinator_.needs(each.first); });
      }
  }
  decide_if_due(machine);
}

// ---- deciding

void LazyDeciders::decide_if_due(Machine& machine) {
  const auto about = coordinator_.take();
  if (!about) return;
  for (PeIndex other = 1; other < deciders_; ++other)
    send(machine, leader_, leader_ + other, {.kind = Kind::begin, .point = *about}, kLazyBeginBytes);
  began_ = last_began_ = machine.clock(leader_);
  const PointReport told = std::move(told_[*about]);
  std::erase_if(told_, [&](const auto& each) { return each.first <= *about; });
  ++decisions_;
  const Point points = *about - std::exchange(last_point_, *about);
  takes_ = balancer_.decide(began_, points, told.objects, told.edges);
  begin_missing_ = deciders_ - 1;
  if (begin_missing_ == 0) await_decision(machine);
}

void LazyDeciders::receive_begun(Machine& machine, Ns at) {
  last_began_ = std::max(last_began_, at);
  if (--begin_missing_ == 0) await_decision(machine);
}

void LazyDeciders::await_decision(Machine& machine) {
  const Ns now = machine.clock(leader_);
  decided_at_ = std::max(now, last_began_ + takes_);
  const Ns patience = static_cast<Ns>(std::llround(policy_.mode.patience_s * 1e9));
  machine.wake_at(leader_, task_, std::min(decided_at_, std::max(now, began_ + patience)));
}

void LazyDeciders::wake(Machine& machine) {
  if (is_job_over(machine) && !calls_mpi_) return;
  if (machine.clock(leader_) >= decided_at_) return send_decision(machine);
  if (policy_.mode.ends_if_silent)
    throw SimulationError("the strategy decides about sync point " + std::to_string(coordinator_.about()) +
                          " for longer than its patience, and the job would end: change patience= or "
                          "silent= of mode '" +
                          lb::to_string(policy_.mode) + "'");
  machine.wake_at(leader_, task_, decided_at_);
  notify_members(machine, Kind::silent, 0);
}

void LazyDeciders::send_decision(Machine& machine) {
  if (is_job_over(machine)) return;
  const Point about = coordinator_.about();
  if (balancer_.moves()) {
    coordinator_.decides();
    return notify_members(machine, Kind::decided, about);
  }
  coordinator_.nothing_to_do();
  balancer_.stays();
  notify_members(machine, Kind::answered, about);
  decide_if_due(machine);
}

}  // namespace skein::simulate
