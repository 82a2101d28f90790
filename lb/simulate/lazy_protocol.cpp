// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/lazy_protocol.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skein::simulate {

using Kind = LazyMessage::Kind;

LazyProtocol::LazyProtocol(const Policy& policy, Balancer& balancer, std::size_t objects, Traffic* traffic)
    : policy_(policy),
      traffic_(traffic),
      deciders_(policy, balancer, static_cast<TaskId>(objects)),
      pes_(balancer.computing_pes()),
      asked_(objects),
      running_(objects) {
  if (traffic_) traffic_->keep_by_sender(objects);
  for (Pe& pe : pes_) pe.member = lb::lazy::Member(policy.period, policy.mode.wait);
  for (const PeIndex pe : balancer.placement()) ++pes_[pe].running;
  for (PeIndex pe = 0; pe < pes_.size(); ++pe)
    if (pes_[pe].running == 0) deciders_.dry(pe, 0);
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
  if (self.open.empty() || self.open.back().point < n) self.open.push_back({n, self.running, 0});
  OpenShare& share = *std::ranges::lower_bound(self.open, n, {}, &OpenShare::point);

  LazyDeciders::Told& told = deciders_.told(n);
  if (told.objects.empty()) told.objects.assign(asked_.size(), {.ended = true});
  Asked& asked = asked_[object];
  const Ns used = used_by(job, object);
  asked.load = used - std::exchange(asked.used, used);
  asked.point = n;
  told.objects[object] = {.busy = asked.load, .bytes = job.shares[object].bytes};
  const std::size_t edges = told.edges.size();
  if (traffic_) traffic_->take_of(object, told.edges);
  share.bytes += lazy_record_bytes + lazy_edge_bytes * (told.edges.size() - edges);

  self.member.asks(n);
  --share.missing;
  send_whole_shares(machine, pe);
}

void LazyProtocol::send_whole_shares(Machine& machine, PeIndex pe) {
  std::vector<OpenShare>& open = pes_[pe].open;
  auto whole = open.begin();
  for (; whole != open.end() && whole->missing == 0; ++whole)
    send_share(machine, pe, deciders_.of(pe), whole->point, whole->bytes);
  open.erase(open.begin(), whole);
}

void LazyProtocol::ends(Machine& machine, PeIndex pe, ObjectIndex object) {
  last_end_ = std::max(last_end_, machine.clock(pe));
  Pe& self = pes_[pe];
  --self.running;
  for (OpenShare& share : self.open)
    if (share.point > asked_[object].point) --share.missing;
  send_whole_shares(machine, pe);
  if (self.running == 0) say(machine, pe, Kind::dry, applications_);
  if (--running_ == 0) deciders_.end_job(last_end_);
}

// ---- messages

void LazyProtocol::take(Machine& machine, PeIndex pe, MessageIndex index) {
  const LazyMessage message = take_lazy(machine, index);
  if (deciders_.decides(pe)) return deciders_.take(machine, pe, message);
  hear(machine, pe, message);
}

void LazyProtocol::hear(Machine& machine, PeIndex pe, const LazyMessage& message) {
  Pe& self = pes_[pe];
  const bool is_answer = message.kind == Kind::answered || message.kind == Kind::agreed;
  if (policy_.mode.wait.kind == lb::Wait::Kind::automatic && is_answer) self.member.wait_for(message.wait);
  switch (message.kind) {
    case Kind::answered:
      self.member.answered(message.point);
      break;
    case Kind::decided:
      say(machine, pe, Kind::promise, *self.member.decided(message.point, self.running == 0));
      break;
    case Kind::agreed:
      self.member.agreed(message.point);
      break;
    default:
      self.member.silent();
  }
  for (const ObjectIndex object : std::exchange(self.held, {})) machine.make_ready(pe, object);
}

// ---- applying

std::vector<Measured> LazyProtocol::measure(const JobState& job) const {
  const Point stop = deciders_.agreed_stop();
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
  deciders_.applied();
  for (Pe& pe : pes_) {
    pe.member.applied();
    pe.running = 0;
  }
  for (ObjectIndex object = 0; object < asked_.size(); ++object)
    if (!job.shares[object].ended) ++pes_[job.pe_of[object]].running;
  for (PeIndex pe = 0; pe < pes_.size(); ++pe)
    if (pes_[pe].running == 0) deciders_.dry(pe, applications_);
}

}  // namespace skein::simulate
