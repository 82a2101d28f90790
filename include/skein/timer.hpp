// SPDX-License-Identifier: Apache-2.0
// What is called later: after a time, again and again, or when a PE has nothing else to do; and the clock.
//
// All functions are for entry methods, for the function given to run(), and for functions of callbacks.
#pragma once

#include <cstdint>

#include "skein/callback.hpp"

namespace skein {
namespace chare {

struct TimerName {
  std::uint64_t number = 0;
  std::int32_t pe = -1, unused = 0;
};
enum class Again : bool { no, yes };
TimerName start_timer(double seconds, Again again, const Destination& destination);
void cancel_timer(const TimerName& timer);
void call_when_idle(const Destination& destination);

}  // namespace chare

/// Seconds of a clock that all PEs share: of two readings on different PEs the later is not smaller by more
/// than a few microseconds, on one node not at all.
double job_seconds();

/// The name of what is called later: a value that may be copied, sent and kept.
class Timer {
 public:
  /// None; it can be assigned.
  Timer() = default;
  explicit Timer(const chare::TimerName& name) : name_(name) {}
  /// It calls no more, once this has come to the PE where it was made: a call that is under way then still
  /// comes. Of one that has called already, or is none, it does nothing.
  void cancel() const { chare::cancel_timer(name_); }

 private:
  chare::TimerName name_;
};

/// Calls back once, when so many seconds have passed: not before, and later by what the PE is busy with then,
/// or by a fifth of a millisecond if it sleeps. The job does not end before, nor is it quiescent; LB steps
/// do not wait for it. A negative time fails the job.
inline Timer after(double seconds, const Callback<void>& callback) {
  return Timer(chare::start_timer(seconds, chare::Again::no, callback.destination()));
}
/// Calls back every so many seconds, first after as many, until it is cancelled. What a busy PE has missed is
/// left out. The job ends and is quiescent without regard to it. A time that is not positive fails the job.
inline Timer every(double seconds, const Callback<void>& callback) {
  return Timer(chare::start_timer(seconds, chare::Again::yes, callback.destination()));
}
/// Calls back once, when this PE has no call to run, and no message has come to it. Before the job ends.
inline void when_idle(const Callback<void>& callback) { chare::call_when_idle(callback.destination()); }

namespace pup {
template <>
struct Bitwise<Timer> : std::true_type {};
}  // namespace pup

}  // namespace skein
