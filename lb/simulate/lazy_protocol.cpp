// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/lazy_protocol.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace skein::simulate {
namespace {

// As runtime/balance/lazy_messages.hpp and runtime/move/collect.cpp have them.
constexpr std::uint64_t to_coordinator_bytes = 24, to_member_bytes = 24, record_bytes = 56, edge_bytes = 16;

}  // namespace

LazyProtocol::LazyProtocol(const Policy& policy, Balancer& balancer, std::size_t objects, Traffic* traffic)
    : policy_(policy),
      balancer_(balancer),
      traffic_(traffic),
      decider_(static_cast<PeIndex>(balancer.computing_pes())),
      task_(static_cast<TaskId>(objects)),
      pes_(balancer.computing_pes()),
      asked_(objects),
      coordinator_(balancer.computing_pes()) {
  if (traffic_) traffic_->keep_by_sender(objects);
  for (Pe& pe : pes_) pe.member = lb::lazy::Member(policy.period, policy.mode.wait);
  for (const PeIndex pe : balancer.placement()) ++pes_[pe].running;
  for (std::size_t pe = 0; pe < pes_.size(); ++pe)
    if (pes_[pe].running == 0) coordinator_.dry(pe, 0);
}

// ---- objects

Stops::At LazyProtocol::comes_to(JobState& job, Machine& machine, PeIndex pe, ObjectIndex object, Point n) {
  using At = lb::lazy::Member::At;
  Pe& self = pes_[pe];
  for (;;) {
    switch (self.member.at(n, asked_[object].point == n)) {
      case At::pass:
        self.member.passes(n);
        return Stops::At::passes;
      case At::stop:
        return Stops::At::meets;
      case At::hold:
        self.held.push_back(object);
        return Stops::At::holds;
      case At::ask:
        leave_share(job, machine, pe, object, n);
    }
  }
}

void LazyProtocol::leave_share(const JobState& job, Machine& machine, PeIndex pe, ObjectIndex object,
                               Point n) {
  Pe& self = pes_[pe];
  if (self.open.empty() || self.open.back().point < n)
    self.open.push_back({n, self.running, to_coordinator_bytes});
  OpenShare& share = *std::ranges::lower_bound(self.open, n, {}, &OpenShare::point);

  Told& told = told_[n];
  if (told.objects.empty()) told.objects.assign(asked_.size(), {.ended = true});
  Asked& asked = asked_[object];
  const Ns used = used_by(job, object);
  asked.load = used - std::exchange(asked.used, used);
  asked.point = n;
  told.objects[object] = {.busy = asked.load, .bytes = job.shares[object].bytes};
  const std::size_t edges = told.edges.size();
  if (traffic_) traffic_->take_of(object, told.edges);
  share.bytes += record_bytes + edge_bytes * (told.edges.size() - edges);

  self.member.asks(n);
  --share.missing;
  send_whole_shares(machine, pe);
}

void LazyProtocol::send_whole_shares(Machine& machine, PeIndex pe) {
  std::vector<OpenShare>& open = pes_[pe].open;
  auto whole = open.begin();
  for (; whole != open.end() && whole->missing == 0; ++whole)
    say(machine, pe, decider_, Kind::share, whole->point, whole->bytes);
  open.erase(open.begin(), whole);
}

void LazyProtocol::ends(Machine& machine, PeIndex pe, ObjectIndex object) {
  last_end_ = std::max(last_end_, machine.clock(pe));
  Pe& self = pes_[pe];
  --self.running;
  for (OpenShare& share : self.open)
    if (share.point > asked_[object].point) --share.missing;
  send_whole_shares(machine, pe);
  if (self.running == 0) say(machine, pe, decider_, Kind::dry, applications_, to_coordinator_bytes);
}

// ---- messages

void LazyProtocol::say(Machine& machine, PeIndex from, PeIndex to, Kind kind, Point point,
                       std::uint64_t bytes) {
  const MessageIndex index = machine.messages().add();
  Message& message = machine.messages()[index];
  message.kind = MessageKind::lazy;
  message.tag = static_cast<std::int32_t>(kind);
  message.sender = from;
  message.bytes = point;
  message.receiver = wait_ == lb::lazy::kNever ? none : static_cast<ObjectIndex>(wait_);
  machine.send(index, from, to, bytes);
}

void LazyProtocol::tell_members(Machine& machine, Kind kind, Point point) {
  for (PeIndex pe = 0; pe < pes_.size(); ++pe) say(machine, decider_, pe, kind, point, to_member_bytes);
}

void LazyProtocol::take(Machine& machine, PeIndex pe, MessageIndex index) {
  const Message message = machine.messages()[index];
  machine.messages().remove(index);
  const auto kind = static_cast<Kind>(message.tag);
  if (pe == decider_)
    hear_member(machine, message.sender, kind, message.bytes);
  else
    hear_coordinator(machine, pe, kind, message.bytes,
                     message.receiver == none ? lb::lazy::kNever : message.receiver);
}

void LazyProtocol::hear_coordinator(Machine& machine, PeIndex pe, Kind kind, Point point, Point wait) {
  Pe& self = pes_[pe];
  if (policy_.mode.wait.kind == lb::Wait::Kind::automatic && (kind == Kind::answered || kind == Kind::agreed))
    self.member.wait_for(wait);
  switch (kind) {
    case Kind::answered:
      self.member.answered(point);
      break;
    case Kind::decided:
      say(machine, pe, decider_, Kind::promise, *self.member.decided(point, self.running == 0),
          to_coordinator_bytes);
      break;
    case Kind::agreed:
      self.member.agreed(point);
      break;
    default:
      self.member.silent();
  }
  for (const ObjectIndex object : std::exchange(self.held, {})) machine.make_ready(pe, object);
}

void LazyProtocol::hear_member(Machine& machine, PeIndex from, Kind kind, Point point) {
  switch (kind) {
    case Kind::share:
      coordinator_.share(from, point);
      break;
    case Kind::dry:
      coordinator_.dry(from, point);
      break;
    default:
      if (const auto stop = coordinator_.promised(coordinator_.about(), point)) {
        tell_members(machine, Kind::agreed, *stop);
        std::erase_if(told_, [&](const auto& each) { return !coordinator_.needs(each.first); });
      }
  }
  decide_if_due(machine);
}

// ---- deciding

void LazyProtocol::decide_if_due(Machine& machine) {
  const auto about = coordinator_.take();
  if (!about) return;
  const Ns now = machine.clock(decider_);
  const Told told = std::move(told_[*about]);
  std::erase_if(told_, [&](const auto& each) { return each.first <= *about; });
  ++decisions_;
  const Point points = *about - std::exchange(last_point_, *about);
  decided_at_ = now + balancer_.decide(now, points, told.objects, told.edges);
  if (policy_.mode.wait.kind == lb::Wait::Kind::automatic)
    wait_ = auto_wait_.next(balancer_.decided_on(), static_cast<double>(points));
  const Ns patience = static_cast<Ns>(std::llround(policy_.mode.patience_s * 1e9));
  machine.wake_at(decider_, task_, std::min(decided_at_, now + patience));
}

void LazyProtocol::wake(Machine& machine) {
  if (machine.clock(decider_) >= decided_at_) return tell_decision(machine);
  if (policy_.mode.ends_if_silent)
    throw SimulationError("the strategy decides about sync point " + std::to_string(coordinator_.about()) +
                          " for longer than its patience, and the job would end: change patience= or "
                          "silent= of mode '" +
                          lb::to_string(policy_.mode) + "'");
  machine.wake_at(decider_, task_, decided_at_);
  tell_members(machine, Kind::silent, 0);
}

void LazyProtocol::tell_decision(Machine& machine) {
  const Point about = coordinator_.about();
  if (balancer_.moves()) {
    coordinator_.decides();
    return tell_members(machine, Kind::decided, about);
  }
  coordinator_.nothing_to_do();
  balancer_.stays();
  tell_members(machine, Kind::answered, about);
  decide_if_due(machine);
}

// ---- applying

std::vector<Measured> LazyProtocol::measure(const JobState& job) const {
  const Point stop = coordinator_.agreed_stop();
  std::vector<Measured> now;
  now.reserve(asked_.size());
  for (ObjectIndex object = 0; object < asked_.size(); ++object) {
    const Asked& asked = asked_[object];
    const JobState::Share& share = job.shares[object];
    Measured& one = now.emplace_back(Measured{.bytes = share.bytes, .ended = share.ended});
    if (share.ended) continue;
    if (asked.point == stop)
      one.busy = asked.load;
    else
      one.busy = static_cast<Ns>(std::llround(static_cast<double>(used_by(job, object) - asked.used) *
                                              static_cast<double>(policy_.period) /
                                              static_cast<double>(stop - asked.point)));
  }
  return now;
}

void LazyProtocol::applied(const JobState& job) {
  for (ObjectIndex object = 0; object < asked_.size(); ++object)
    asked_[object].before += job.shares[object].busy;
  ++applications_;
  coordinator_.applied();
  for (Pe& pe : pes_) {
    pe.member.applied();
    pe.running = 0;
  }
  for (ObjectIndex object = 0; object < asked_.size(); ++object)
    if (!job.shares[object].ended) ++pes_[job.pe_of[object]].running;
  for (std::size_t pe = 0; pe < pes_.size(); ++pe)
    if (pes_[pe].running == 0) coordinator_.dry(pe, applications_);
}

}  // namespace skein::simulate
