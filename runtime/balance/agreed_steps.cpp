// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/agreed_steps.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/balance/roles.hpp"
#include "runtime/balance/steps.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {

namespace {

using lb::lazy::Point;

constexpr double kMostOfTime = 0.1;
/// How long sync points are waited for: at least so many seconds, and so many times their usual distance.
constexpr double kPatience_s = 0.2, kPatience = 4;
/// An interval without sync points counts one for each such time.
constexpr double kPoint_s = 0.01;
/// Where no PE computes for more than this part of the time, the next step waits twice as long each time:
/// such a job may wait for ever.
constexpr double kIdle = 0.1;

struct StepMessage {
  enum class Kind : std::uint32_t { call, stop, stop_in_waits, call_off } kind;
  std::uint32_t unused = 0;
  Point point = 0;  // of a call: the first sync point that the step can be at
};

struct StepPromise {
  Point about = 0, point = 0;
};

net::Handler on_step_message, on_step_promise;
const net::MessageKind step_message("agreed-to-member", on_step_message);
const net::MessageKind promise_message("agreed-promise", on_step_promise);

void tell_of_step(int pes, StepMessage::Kind kind, Point point) {
  const StepMessage message{.kind = kind, .point = point};
  for (int pe = 0; pe < pes; ++pe) net::send(pe, step_message, {&message, sizeof message});
}

void promise_step() {
  const Point about = steps->agreement.last + 1;
  const StepPromise promise{about, *pace->member.decided(about, false)};
  net::send(0, promise_message, {&promise, sizeof promise});
}

/// Handles a message of PE 0, which may be behind a step while this PE is still in it.
void on_step_message(int, const std::byte* bytes, std::size_t) {
  StepMessage message;
  memcpy(&message, bytes, sizeof message);
  agree_from_here();
  if (message.kind == StepMessage::Kind::stop) {
    steps->agreement.stop = message.point;
    if (!computes(net::world.pe)) return;
    pace->member.agreed(message.point);
    steps->agreement.objects.release();
  } else if (message.kind == StepMessage::Kind::stop_in_waits) {
    steps->agreement.in_waits = true;
    steps->agreement.objects.stop_in_waits();
  } else if (message.kind == StepMessage::Kind::call_off) {
    steps->agreement.in_waits = false;
    steps->agreement.objects.call_off();
  } else if (message.point == steps->agreement.last + 1) {
    promise_step();
  } else {
    steps->agreement.is_called_early = true;
  }
}

void on_step_promise(int, const std::byte* bytes, std::size_t) {
  StepPromise promise;
  memcpy(&promise, bytes, sizeof promise);
  if (const auto stop = steps->agreement.coordinator.promised(promise.about, promise.point))
    tell_of_step(net::world.pes, StepMessage::Kind::stop, *stop);
}

void set_due(double delay_s) {
  if (net::world.pe == 0)
    pace->agreement_due = ticks() + static_cast<std::uint64_t>(delay_s * 1e9 / ns_per_tick());
}

void call_for_step() {
  steps->agreement.called_at = seconds();
  const Point about = steps->agreement.last + 1;
  steps->agreement.coordinator.wants_stop(about);
  tell_of_step(computing_pes(), StepMessage::Kind::call, about);
  if (!pace->stops_in_waits) return;
  const double points = static_cast<double>(pace->points),
               so_far_s = steps->agreement.called_at - steps->agreement.began_at;
  // If none came since the last step, which was in waits, none is waited for.
  const bool none_since =
      steps->agreement.came.in_waits > 0 && pace->points == steps->agreement.points_before;
  steps->agreement.patience_s =
      none_since ? 0 : std::max(kPatience_s, kPatience * so_far_s / std::max(points, 1.0));
  set_due(steps->agreement.patience_s);
}

/// Has all objects stop in waits. Nobody stops before all have agreed: objects may hold for one another.
void stop_all_in_waits() {
  if (steps->agreement.coordinator.state() != lb::lazy::Coordinator::State::agreed) return set_due(kPoint_s);
  steps->agreement.stops = true;
  tell_of_step(net::world.pes, StepMessage::Kind::stop_in_waits, 0);
  set_due(steps->agreement.longest_stop_s);
}

/// Tries the step again after `patience_s`.
void wait_after_call_off(double patience_s) {
  ++steps->agreement.came.called_off;
  steps->agreement.stops = false;
  steps->agreement.patience_s = patience_s;
  set_due(patience_s);
}

void call_off() {
  tell_of_step(net::world.pes, StepMessage::Kind::call_off, 0);
  steps->agreement.longest_stop_s *= 2;
  wait_after_call_off(steps->agreement.longest_stop_s / kMostOfTime);
}

}  // namespace

void agree_on_steps(const lb::Period& period, const AgreedObjects& objects, bool begins_later) {
  steps->agreement.objects = objects;
  steps->agreement.period = period;
  steps->agreement.coordinator = lb::lazy::Coordinator(static_cast<std::size_t>(computing_pes()));
  steps->agreement.came.began_later = begins_later;
  pace->stops_in_waits = objects.stop_in_waits != nullptr;
  if (!begins_later) begin_to_agree();
}

void begin_to_agree() {
  pace->agrees = true;
  steps->agreement.began_at = seconds();
  steps->agreement.delay_s = steps->agreement.period.seconds;
  set_due(steps->agreement.delay_s);
}

Agreed stop_agreeing() {
  Agreed came = steps->agreement.came;
  came.began_later &= pace->agrees;
  if (steps->agreement.called_at > 0) came.in_vain_s = seconds() - steps->agreement.called_at;
  pace->agrees = pace->stops_in_waits = false;
  pace->agreement_due = Pace::never;
  steps->agreement = {};
  return came;
}

void go_on_with_agreement() {
  pace->agreement_due = Pace::never;
  if (steps->agreement.called_at == 0)
    call_for_step();
  else if (steps->agreement.stops)
    call_off();
  else
    stop_all_in_waits();
}

void count_instead(lb::Interval& interval) {
  steps->agreement.least_delay_s = 0;
  if (!steps->agreement.in_waits) return;
  interval.points = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(interval.length_s / kPoint_s));
  if (std::ranges::max(interval.took_s) < kIdle * interval.length_s)
    steps->agreement.least_delay_s = 2 * interval.length_s;
}

lb::Interval as_told(lb::Interval interval) {
  if (steps->agreement.in_waits) interval.points = 0;
  return interval;
}

void note_call_off(bool may_last) {
  steps->agreement.in_waits = false;
  if (net::world.pe != 0) return;
  const double patience_s = std::max(steps->agreement.patience_s, kPatience_s / 2);
  wait_after_call_off(may_last ? 2 * patience_s : patience_s);
}

Point last_agreed_point() { return steps->agreement.last; }

void agree_behind(Point point) {
  steps->agreement.last = point;
  pace->member.passes(point);
}

Point agreed_step() { return steps->agreement.stop; }

void wait_for_points(std::uint64_t points, const lb::Interval& interval, const lb::StepFigures& step) {
  const double pace_s = interval.length_s / static_cast<double>(std::max<std::uint64_t>(interval.points, 1));
  steps->agreement.delay_s = std::max(static_cast<double>(points) * pace_s, step.look_s() / kMostOfTime);
}

void end_agreed_step() {
  if (steps->agreement.stop == 0) return;
  steps->agreement.last = std::exchange(steps->agreement.stop, 0);
  const bool in_waits = std::exchange(steps->agreement.in_waits, false);
  if (!computes(net::world.pe)) return;
  pace->member.applied();
  pace->member.passes(steps->agreement.last);
  if (std::exchange(steps->agreement.is_called_early, false)) promise_step();
  if (net::world.pe != 0) return;
  steps->agreement.coordinator.applied();
  steps->agreement.called_at = 0;
  steps->agreement.stops = false;
  steps->agreement.points_before = pace->points;
  steps->agreement.came.in_waits += in_waits;
  set_due(std::max(steps->agreement.delay_s, steps->agreement.least_delay_s));
}

}  // namespace skein::balance
