// SPDX-License-Identifier: Apache-2.0
// Calls made later: after a time, periodically, or when a PE is idle; and the clock.
//
// Entry methods, the function given to run(), and functions of callbacks may call all functions here.
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

/// Returns the seconds of a clock that all PEs share: of two readings on different PEs the later is smaller
/// by at most a few microseconds, on one node by nothing.
double job_seconds();

/// The name of a later call: a value that may be copied, sent and kept.
class Timer {
 public:
  /// Names no timer; a timer can be assigned to it.
  Timer() = default;
  explicit Timer(const chare::TimerName& name) : name_(name) {}
  /// Stops the calls, once the request has reached the PE where the timer was made: a call that is under way
  /// then still comes. Does nothing for a timer that has made its only call, or for none.
  void cancel() const { chare::cancel_timer(name_); }

 private:
  chare::TimerName name_;
};

/// Calls back once, after `seconds`: not earlier, and later by the time that the PE is busy, or by a
/// fifth of a millisecond if it sleeps. The job is neither over nor quiescent before; LB steps do not wait
/// for it. A negative time fails the job.
inline Timer after(double seconds, const Callback<void>& callback) {
  return Timer(chare::start_timer(seconds, chare::Again::no, callback.destination()));
}
/// Calls back every `seconds`, first after one period, until it is cancelled. A busy PE leaves out the
/// calls that it has missed. The timer keeps the job neither from ending nor from being quiescent. A time
/// that is not positive fails the job.
inline Timer every(double seconds, const Callback<void>& callback) {
  return Timer(chare::start_timer(seconds, chare::Again::yes, callback.destination()));
}
/// Calls back once, when this PE has no call to run, and no message has arrived. The job does not end before.
inline void when_idle(const Callback<void>& callback) { chare::call_when_idle(callback.destination()); }

namespace pup {
template <>
struct Bitwise<Timer> : std::true_type {};
}  // namespace pup

}  // namespace skein
