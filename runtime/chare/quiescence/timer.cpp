// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/quiescence/timer.hpp"

#include <deque>
#include <map>
#include <string>
#include <utility>

#include "runtime/base/clock.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/quiescence/quiescence.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/net/transport.hpp"
#include "skein/timer.hpp"

namespace skein::chare {
namespace {

/// A call to come, and whose consequence it is.
struct LaterCall {
  Destination destination;
  Ticket because;
};
struct SetTimer {
  LaterCall call;
  double period;  // 0: once
};
using Due = std::pair<double, std::uint64_t>;  // in seconds(), and the number, which orders equals

struct Timers {
  std::map<Due, SetTimer> set;
  std::map<std::uint64_t, double> due_of;  // by number
  std::uint64_t made = 0, to_come = 0;
  std::deque<LaterCall> when_idle;
};
PerRuntime<Timers> timers;

LaterCall later_call(const Destination& destination) {
  return {destination, settings.tickets_kept ? ticket_of_posted(trace::EventKind::call, 0) : Ticket{}};
}

void call_now(const LaterCall& call) {
  calls_here.running = {};
  const Consequences of(call.because);
  deliver(call.destination, {});
}

void set(double due, std::uint64_t number, SetTimer timer) {
  if (timer.period == 0) ++timers->to_come;
  timers->set.emplace(Due(due, number), std::move(timer));
  timers->due_of[number] = due;
  loop_orders->timers_set = true;
}

/// Takes it from those that are set.
SetTimer take(std::map<Due, SetTimer>::iterator at) {
  timers->due_of.erase(at->first.second);
  const auto node = timers->set.extract(at);
  if (node.mapped().period == 0) --timers->to_come;
  loop_orders->timers_set = !timers->set.empty();
  return node.mapped();
}

void on_cancel(int, Bytes message) {
  const auto number = unpack_front<std::uint64_t>(message);
  if (const auto at = timers->due_of.find(number); at != timers->due_of.end())
    (void)take(timers->set.find({at->second, number}));
}

const Receives cancellations(Kind::timer_cancel, on_cancel);

}  // namespace

bool fire_timers() {
  bool any = false;
  const double now = seconds();
  while (!timers->set.empty() && timers->set.begin()->first.first <= now) {
    const auto [due, number] = timers->set.begin()->first;
    const SetTimer timer = take(timers->set.begin());
    if (timer.period > 0) set(timer.period + (due + timer.period > now ? due : now), number, timer);
    call_now(timer.call);
    any = true;
  }
  return any;
}

bool call_idle_one() {
  if (timers->when_idle.empty()) return false;
  const LaterCall call = timers->when_idle.front();
  timers->when_idle.pop_front();
  call_now(call);
  return true;
}

std::uint64_t timers_to_come() { return timers->to_come; }
bool any_timer() { return !timers->set.empty() || !timers->when_idle.empty(); }

TimerName start_timer(double from_now, Again again, const Destination& destination) {
  constexpr double longest = 1e9;
  if (again == Again::no && !(from_now >= 0 && from_now <= longest))
    fail("after(" + std::to_string(from_now) + "): seconds from 0 to 1e9");
  if (again == Again::yes && !(from_now > 0 && from_now <= longest))
    fail("every(" + std::to_string(from_now) + "): seconds above 0, up to 1e9");
  const std::uint64_t number = ++timers->made;
  if (!settings.running_again)
    set(seconds() + from_now, number, {later_call(destination), again == Again::yes ? from_now : 0});
  return {number, net::world.pe};
}

void cancel_timer(const TimerName& timer) {
  if (timer.pe >= 0) post(timer.pe, Kind::timer_cancel, bytes_of(timer.number));
}

void call_when_idle(const Destination& destination) {
  if (!settings.running_again) timers->when_idle.push_back(later_call(destination));
}

}  // namespace skein::chare

namespace skein {
double job_seconds() { return net::job_seconds(); }
}  // namespace skein
