// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/agreed_steps.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/balance/roles.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {

namespace {

using lb::lazy::Point;

constexpr double kMostOfTime = 0.1;
/// So long sync points are waited for, and so many times as long as they were apart.
constexpr double kPatience_s = 0.2, kPatience = 4;
/// Without sync points, intervals are as many as this is contained in them.
constexpr double kPoint_s = 0.01;
/// So long ranks may take to stop in waits, at first.
constexpr double kLongestStop_s = 1;
/// A job of which nobody computes more than this part of the time is left alone twice as long each time: it
/// may wait for ever.
constexpr double kIdle = 0.1;

struct StepMessage {
  enum class Kind : std::uint32_t { call, stop, stop_in_waits, call_off } kind;
  std::uint32_t unused = 0;
  Point point = 0;  // of a call: the first that the step can be at
};

struct StepPromise {
  Point about = 0, point = 0;
};

net::Handler on_step_message, on_step_promise;
const net::MessageKind step_message("agreed-to-member", on_step_message);
const net::MessageKind promise_message("agreed-promise", on_step_promise);

struct Agreement {
  AgreedObjects objects;
  lb::Period period;
  lb::lazy::Coordinator coordinator;  // on PE 0
  Point last = 0;                     // step that is over here
  Point stop = 0;                     // of the step that is agreed on, and not over; 0: none
  bool is_called_early = false;       // for the step after that
  double delay_s = 0;                 // from one step to the next call
  double least_delay_s = 0;           // the same, where the job is idle
  bool in_waits = false;              // all are to stop in waits
  double began_at = 0;
  double called_at = 0;   // on PE 0: for a step that is not over; 0: for none
  double patience_s = 0;  // on PE 0: from that until all are to stop in waits
  bool stops = false;     // on PE 0: it has told all to stop in waits
  double longest_stop_s = kLongestStop_s;
  std::uint64_t points_before = 0;  // on PE 0: sync points passed before the last step
  Agreed came;                      // on PE 0
};
PerRuntime<Agreement> agreement;

void tell_of_step(int pes, StepMessage::Kind kind, Point point) {
  const StepMessage message{.kind = kind, .point = point};
  for (int pe = 0; pe < pes; ++pe) net::send(pe, step_message, {&message, sizeof message});
}

void promise_step() {
  const Point about = agreement->last + 1;
  const StepPromise promise{about, *pace->member.decided(about, false)};
  net::send(0, promise_message, {&promise, sizeof promise});
}

/// PE 0 may be behind a step while this PE is still in it.
void on_step_message(int, const std::byte* bytes, std::size_t) {
  StepMessage message;
  memcpy(&message, bytes, sizeof message);
  agree_from_here();
  if (message.kind == StepMessage::Kind::stop) {
    agreement->stop = message.point;
    if (!computes(net::world.pe)) return;
    pace->member.agreed(message.point);
    agreement->objects.release();
  } else if (message.kind == StepMessage::Kind::stop_in_waits) {
    agreement->in_waits = true;
    agreement->objects.stop_in_waits();
  } else if (message.kind == StepMessage::Kind::call_off) {
    agreement->in_waits = false;
    agreement->objects.call_off();
  } else if (message.point == agreement->last + 1) {
    promise_step();
  } else {
    agreement->is_called_early = true;
  }
}

void on_step_promise(int, const std::byte* bytes, std::size_t) {
  StepPromise promise;
  memcpy(&promise, bytes, sizeof promise);
  if (const auto stop = agreement->coordinator.promised(promise.about, promise.point))
    tell_of_step(net::world.pes, StepMessage::Kind::stop, *stop);
}

void set_due(double delay_s) {
  if (net::world.pe == 0)
    pace->agreement_due = ticks() + static_cast<std::uint64_t>(delay_s * 1e9 / ns_per_tick());
}

void call_for_step() {
  agreement->called_at = seconds();
  const Point about = agreement->last + 1;
  agreement->coordinator.wants_stop(about);
  tell_of_step(computing_pes(), StepMessage::Kind::call, about);
  if (!pace->stops_in_waits) return;
  const double points = static_cast<double>(pace->points),
               so_far_s = agreement->called_at - agreement->began_at;
  // Where none came since the last step, which was in waits, none is waited for.
  const bool none_since = agreement->came.in_waits > 0 && pace->points == agreement->points_before;
  agreement->patience_s =
      none_since ? 0 : std::max(kPatience_s, kPatience * so_far_s / std::max(points, 1.0));
  set_due(agreement->patience_s);
}

/// Before all have agreed nobody stops: they may hold for one another.
void stop_all_in_waits() {
  if (agreement->coordinator.state() != lb::lazy::Coordinator::State::agreed) return set_due(kPoint_s);
  agreement->stops = true;
  tell_of_step(net::world.pes, StepMessage::Kind::stop_in_waits, 0);
  set_due(agreement->longest_stop_s);
}

/// Tries it again after so long.
void wait_after_call_off(double patience_s) {
  ++agreement->came.called_off;
  agreement->stops = false;
  agreement->patience_s = patience_s;
  set_due(patience_s);
}

void call_off() {
  tell_of_step(net::world.pes, StepMessage::Kind::call_off, 0);
  agreement->longest_stop_s *= 2;
  wait_after_call_off(agreement->longest_stop_s / kMostOfTime);
}

}  // namespace

void agree_on_steps(const lb::Period& period, const AgreedObjects& objects, bool begins_later) {
  agreement->objects = objects;
  agreement->period = period;
  agreement->coordinator = lb::lazy::Coordinator(static_cast<std::size_t>(computing_pes()));
  agreement->came.began_later = begins_later;
  pace->stops_in_waits = objects.stop_in_waits != nullptr;
  if (!begins_later) begin_to_agree();
}

void begin_to_agree() {
  pace->agrees = true;
  agreement->began_at = seconds();
  agreement->delay_s = agreement->period.seconds;
  set_due(agreement->delay_s);
}

Agreed stop_agreeing() {
  Agreed came = agreement->came;
  came.began_later &= pace->agrees;
  if (agreement->called_at > 0) came.in_vain_s = seconds() - agreement->called_at;
  pace->agrees = pace->stops_in_waits = false;
  pace->agreement_due = Pace::never;
  *agreement = {};
  return came;
}

void go_on_with_agreement() {
  pace->agreement_due = Pace::never;
  if (agreement->called_at == 0)
    call_for_step();
  else if (agreement->stops)
    call_off();
  else
    stop_all_in_waits();
}

void count_instead(lb::Interval& interval) {
  agreement->least_delay_s = 0;
  if (!agreement->in_waits) return;
  interval.points = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(interval.length_s / kPoint_s));
  if (std::ranges::max(interval.took_s) < kIdle * interval.length_s)
    agreement->least_delay_s = 2 * interval.length_s;
}

lb::Interval as_told(lb::Interval interval) {
  if (agreement->in_waits) interval.points = 0;
  return interval;
}

void note_call_off(bool may_last) {
  agreement->in_waits = false;
  if (net::world.pe != 0) return;
  const double patience_s = std::max(agreement->patience_s, kPatience_s / 2);
  wait_after_call_off(may_last ? 2 * patience_s : patience_s);
}

Point last_agreed_point() { return agreement->last; }

void agree_behind(Point point) {
  agreement->last = point;
  pace->member.passes(point);
}

Point agreed_step() { return agreement->stop; }

void wait_for_points(std::uint64_t points, const lb::Interval& interval, const lb::StepFigures& step) {
  const double pace_s = interval.length_s / static_cast<double>(std::max<std::uint64_t>(interval.points, 1));
  agreement->delay_s = std::max(static_cast<double>(points) * pace_s, step.look_s() / kMostOfTime);
}

void end_agreed_step() {
  if (agreement->stop == 0) return;
  agreement->last = std::exchange(agreement->stop, 0);
  const bool in_waits = std::exchange(agreement->in_waits, false);
  if (!computes(net::world.pe)) return;
  pace->member.applied();
  pace->member.passes(agreement->last);
  if (std::exchange(agreement->is_called_early, false)) promise_step();
  if (net::world.pe != 0) return;
  agreement->coordinator.applied();
  agreement->called_at = 0;
  agreement->stops = false;
  agreement->points_before = pace->points;
  agreement->came.in_waits += in_waits;
  set_due(std::max(agreement->delay_s, agreement->least_delay_s));
}

}  // namespace skein::balance
