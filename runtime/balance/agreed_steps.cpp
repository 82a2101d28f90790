// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/agreed_steps.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/balance/roles.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {

PerRuntime<AgreedSteps> agreed_steps;

namespace {

using lb::lazy::Point;

constexpr double kMostOfTime = 0.1;

struct StepMessage {
  enum class Kind : std::uint32_t { call, stop } kind;
  std::uint32_t unused = 0;
  Point point = 0;  // of a call: the first that the step can be at
};

struct StepPromise {
  Point about = 0, point = 0;
};

struct Agreement {
  int to_member = 0, to_leader = 0;  // handlers
  void (*release)() = nullptr;
  lb::lazy::Coordinator coordinator;  // on PE 0
  Point last = 0;                     // step that is over here
  Point stop = 0;                     // of the step that is agreed on, and not over; 0: none
  bool is_called_early = false;       // for the step after that
  double delay_s = 0;                 // from one step to the next call
  double called_at = 0;               // on PE 0: for a step that is not over; 0: for none
};
PerRuntime<Agreement> agreement;

void tell_of_step(int pes, StepMessage::Kind kind, Point point) {
  const StepMessage message{.kind = kind, .point = point};
  for (int pe = 0; pe < pes; ++pe) net::send(pe, agreement->to_member, {&message, sizeof message});
}

void promise_step() {
  const Point about = agreement->last + 1;
  const StepPromise promise{about, *lazy_pe->member.decided(about, false)};
  net::send(0, agreement->to_leader, {&promise, sizeof promise});
}

/// PE 0 may be behind a step while this PE is still in it.
void on_step_message(int, const std::byte* bytes, std::size_t) {
  StepMessage message;
  memcpy(&message, bytes, sizeof message);
  if (message.kind == StepMessage::Kind::stop) {
    agreement->stop = message.point;
    if (!computes(net::world.pe)) return;
    lazy_pe->member.agreed(message.point);
    agreement->release();
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

void set_due() {
  if (net::world.pe == 0)
    agreed_steps->due = ticks() + static_cast<std::uint64_t>(agreement->delay_s * 1e9 / ns_per_tick());
}

}  // namespace

void agree_on_steps(const lb::Period& period, void (*release)()) {
  agreement->to_member = net::register_handler("agreed-to-member", on_step_message);
  agreement->to_leader = net::register_handler("agreed-promise", on_step_promise);
  agreement->release = release;
  agreement->coordinator = lb::lazy::Coordinator(static_cast<std::size_t>(computing_pes()));
  agreement->delay_s = period.seconds;
  agreed_steps->on = true;
  set_due();
}

double stop_agreeing() {
  const double called_at = agreement->called_at;
  *agreed_steps = {};
  *agreement = {};
  return called_at > 0 ? seconds() - called_at : 0;
}

void call_for_step() {
  agreed_steps->due = AgreedSteps::never;
  agreement->called_at = seconds();
  const Point about = agreement->last + 1;
  agreement->coordinator.wants_stop(about);
  tell_of_step(computing_pes(), StepMessage::Kind::call, about);
}

Point agreed_step() { return agreement->stop; }

void wait_for_points(std::uint64_t points, const lb::Interval& interval, const lb::StepFigures& step) {
  const double pace_s = interval.length_s / static_cast<double>(std::max<std::uint64_t>(interval.points, 1));
  agreement->delay_s = std::max(static_cast<double>(points) * pace_s, step.look_s() / kMostOfTime);
}

void end_agreed_step() {
  if (agreement->stop == 0) return;
  agreement->last = std::exchange(agreement->stop, 0);
  if (!computes(net::world.pe)) return;
  lazy_pe->member.applied();
  lazy_pe->member.passes(agreement->last);
  if (std::exchange(agreement->is_called_early, false)) promise_step();
  if (net::world.pe != 0) return;
  agreement->coordinator.applied();
  agreement->called_at = 0;
  set_due();
}

}  // namespace skein::balance
