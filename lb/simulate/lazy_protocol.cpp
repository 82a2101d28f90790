// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/lazy_protocol.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skein::simulate {

using Kind = LazyMessage::Kind;

namespace {

bool comes_to_any_point(const trace::Trace& trace, ObjectIndex object) {
  trace::Cursor events = trace.events(object);
  while (const trace::Event* const event = events.next())
    if (event->kind == trace::EventKind::sync) return true;
  return false;
}

}  // namespace

LazyProtocol::LazyProtocol(const trace::Trace& trace, const Policy& policy, Balancer& balancer,
                           Traffic* traffic)
    : policy_(policy),
      native_(trace.header().native),
      traffic_(traffic),
      deciders_(policy, balancer, static_cast<TaskId>(trace.object_count())),
      pes_(balancer.computing_pes()),
      asked_(trace.object_count()),
      running_(trace.object_count()) {
  if (traffic_) traffic_->keep_by_sender(asked_.size());
  for (Pe& pe : pes_) pe.member = lb::lazy::Member(policy.period, policy.mode.wait);
  if (native_) {
    stays_away_.resize(asked_.size());
    for (ObjectIndex object = 0; object < asked_.size(); ++object) {
      stays_away_[object] = !comes_to_any_point(trace, object);
      if (stays_away_[object] && trace.header().can_move(object)) others_.push_back(object);
    }
  }
  count_running(nullptr, balancer.placement());
}

void LazyProtocol::count_running(const JobState* job, const lb::Assignment& placed) {
  for (Pe& pe : pes_) pe.running = 0;
  for (ObjectIndex object = 0; object < placed.size(); ++object)
    if (comes_to_points(object) && !(job && job->shares[object].ended)) ++pes_[placed[object]].running;
  for (PeIndex pe = 0; pe < pes_.size(); ++pe)
    if (pes_[pe].running == 0) deciders_.dry(pe, applications_);
}

// ---- objects

Stops::At LazyProtocol::comes_to(JobState& job, Machine& machine, PeIndex pe, ObjectIndex object, Point n) {
  using At = lb::lazy::Member::At;
  Pe& self = pes_[pe];
  for (;;) {
    switch (self.member.at(n, asked_[object].point == n)) {
      case At::pass:
        self.member.passes(n);
        return !native_ && asked_[object].point == n ? Stops::At::gives_way : Stops::At::passes;
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

/// Reports what the object leaves for n; returns the bytes on the wire.
std::uint64_t LazyProtocol::report(const JobState& job, ObjectIndex object, Point n) {
  LazyDeciders::PointReport& told = deciders_.told(n);
  if (told.objects.empty()) told.objects.assign(asked_.size(), {.ended = true});
  LoadInquiry& asked = asked_[object];
  const Ns used = used_by(job, object);
  asked.load = used - std::exchange(asked.used, used);
  asked.point = n;
  told.objects[object] = {.busy = asked.load, .bytes = job.shares[object].bytes};
  const std::size_t edges = told.edges.size();
  if (traffic_) traffic_->take_of(object, told.edges);
  return (native_ ? kLazyElementBytes : kLazyRecordBytes) +
         (native_ ? kLazyCallBytes : kLazyEdgeBytes) * (told.edges.size() - edges);
}

std::uint64_t LazyProtocol::report_others(const JobState& job, PeIndex pe, Point n) {
  std::uint64_t bytes = 0;
  for (const ObjectIndex object : others_)
    if (job.pe_of[object] == pe && !job.shares[object].ended) bytes += report(job, object, n);
  return bytes;
}

void LazyProtocol::leave_share(const JobState& job, Machine& machine, PeIndex pe, ObjectIndex object,
                               Point n) {
  Pe& self = pes_[pe];
  auto share = std::ranges::lower_bound(self.open, n, {}, &OpenShare::point);
  if (share == self.open.end() || share->point != n) {
    if (n <= self.newest) {
      asked_[object].point = n;  // the object is late: the share has been sent
      return;
    }
    self.newest = n;
    self.open.push_back({n, self.running, report_others(job, pe, n)});
    share = self.open.end() - 1;
  }
  share->bytes += report(job, object, n);
  self.member.asks(n);
  --share->missing;
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
  if (--running_ == 0) deciders_.end_job(last_end_);
  if (!comes_to_points(object)) return;
  Pe& self = pes_[pe];
  --self.running;
  for (OpenShare& share : self.open)
    if (share.point > asked_[object].point) --share.missing;
  send_whole_shares(machine, pe);
  if (self.running == 0) send_to_decider(machine, pe, Kind::dry, applications_);
}

// ---- messages

void LazyProtocol::take(Machine& machine, PeIndex pe, MessageIndex index) {
  const LazyMessage message = take_lazy(machine, index);
  if (deciders_.decides(pe)) return deciders_.take(machine, pe, message);
  receive(machine, pe, message);
}

void LazyProtocol::receive(Machine& machine, PeIndex pe, const LazyMessage& message) {
  Pe& self = pes_[pe];
  switch (message.kind) {
    case Kind::answered:
      self.member.answered(message.point);
      break;
    case Kind::decided:
      send_to_decider(machine, pe, Kind::promise,
                      *self.member.decided(message.point, !native_ && self.running == 0));
      break;
    case Kind::agreed:
      self.member.agreed(message.point);
      break;
    default:
      self.member.silent();
  }
  release_held(machine, pe);
}

void LazyProtocol::release_held(Machine& machine, PeIndex pe) {
  for (const ObjectIndex object : std::exchange(pes_[pe].held, {}))
    if (release_)
      release_(pe, object);
    else
      machine.make_ready(pe, object);
}

void LazyProtocol::pass_unanswered(Machine& machine) {
  for (PeIndex pe = 0; pe < pes_.size(); ++pe) {
    pes_[pe].member.silent();
    release_held(machine, pe);
  }
}

// ---- applying

std::vector<ObjectMeasurement> LazyProtocol::measure(const JobState& job) const {
  const Point stop = deciders_.agreed_stop();
  std::vector<ObjectMeasurement> now;
  now.reserve(asked_.size());
  for (ObjectIndex object = 0; object < asked_.size(); ++object) {
    const LoadInquiry& asked = asked_[object];
    const JobState::Share& share = job.shares[object];
    ObjectMeasurement& one = now.emplace_back(ObjectMeasurement{.bytes = share.bytes, .ended = share.ended});
    if (share.ended) continue;
    if (asked.point == stop)
      one.busy = asked.load;
    else if (asked.point < stop)
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
    pe.open.clear();  // of elements that are late
  }
  count_running(&job, job.pe_of);
}

}  // namespace skein::simulate
