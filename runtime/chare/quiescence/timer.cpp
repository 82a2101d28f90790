// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/quiescence/timer.hpp"

#include <map>
#include <string>
#include <utility>

#include "runtime/base/clock.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/quiescence/quiescence.hpp"
#include "runtime/chare/quiescence/quiescence_state.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/net/transport.hpp"
#include "skein/timer.hpp"

namespace skein::chare {
namespace {

Timers::LaterCall later_call(const Destination& destination) {
  return {destination, settings.tickets_kept ? ticket_of_posted(trace::EventKind::call, 0) : Ticket{}};
}

void call_now(const Timers::LaterCall& call) {
  calls_here.running = {};
  const Consequences of(call.because);
  deliver(call.destination, {});
}

void set(double due, std::uint64_t number, Timers::SetTimer timer) {
  if (timer.period == 0) ++quiescence->timers.to_come;
  quiescence->timers.set.emplace(Timers::Due(due, number), std::move(timer));
  quiescence->timers.due_of[number] = due;
  quiescence->orders.timers_set = true;
}

/// Removes a timer from those that are set.
Timers::SetTimer take(std::map<Timers::Due, Timers::SetTimer>::iterator at) {
  quiescence->timers.due_of.erase(at->first.second);
  const auto node = quiescence->timers.set.extract(at);
  if (node.mapped().period == 0) --quiescence->timers.to_come;
  quiescence->orders.timers_set = !quiescence->timers.set.empty();
  return node.mapped();
}

void on_cancel(int, Bytes message) {
  const auto number = unpack_front<std::uint64_t>(message);
  if (const auto at = quiescence->timers.due_of.find(number); at != quiescence->timers.due_of.end())
    (void)take(quiescence->timers.set.find({at->second, number}));
}

const Receives cancellations(Kind::timer_cancel, on_cancel);

}  // namespace

bool fire_timers() {
  bool any = false;
  const double now = seconds();
  while (!quiescence->timers.set.empty() && quiescence->timers.set.begin()->first.first <= now) {
    const auto [due, number] = quiescence->timers.set.begin()->first;
    const Timers::SetTimer timer = take(quiescence->timers.set.begin());
    if (timer.period > 0) set(timer.period + (due + timer.period > now ? due : now), number, timer);
    call_now(timer.call);
    any = true;
  }
  return any;
}

bool call_idle_one() {
  if (quiescence->timers.when_idle.empty()) return false;
  const Timers::LaterCall call = quiescence->timers.when_idle.front();
  quiescence->timers.when_idle.pop_front();
  call_now(call);
  return true;
}

std::uint64_t timers_to_come() { return quiescence->timers.to_come; }
bool any_timer() { return !quiescence->timers.set.empty() || !quiescence->timers.when_idle.empty(); }

TimerName start_timer(double from_now, Again again, const Destination& destination) {
  constexpr double longest = 1e9;
  if (again == Again::no && !(from_now >= 0 && from_now <= longest))
    fail("after(" + std::to_string(from_now) + "): seconds from 0 to 1e9");
  if (again == Again::yes && !(from_now > 0 && from_now <= longest))
    fail("every(" + std::to_string(from_now) + "): seconds above 0, up to 1e9");
  const std::uint64_t number = ++quiescence->timers.made;
  if (!settings.running_again)
    set(seconds() + from_now, number, {later_call(destination), again == Again::yes ? from_now : 0});
  return {number, net::world.pe};
}

void cancel_timer(const TimerName& timer) {
  if (timer.pe >= 0) post(timer.pe, Kind::timer_cancel, bytes_of(timer.number));
}

void call_when_idle(const Destination& destination) {
  if (!settings.running_again) quiescence->timers.when_idle.push_back(later_call(destination));
}

}  // namespace skein::chare

namespace skein {
double job_seconds() { return net::job_seconds(); }
}  // namespace skein
