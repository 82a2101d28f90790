// SPDX-License-Identifier: Apache-2.0
// Waits of a program, for a time or for descriptors: the fiber sleeps, and the other ranks of the PE run.
// Exported under the C library's names, because shared libraries wait on behalf of ranks, too. For other
// callers, children that a rank forked off among them, these are the C library's functions.
//
// Differences to the C library's: a signal handler that runs meanwhile does not end the wait; and descriptors
// are looked at again and again, after pauses that grow to a millisecond.
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/rank/recorded.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::libc {
namespace {

constexpr std::int64_t kNsPerS = 1'000'000'000;
constexpr std::int64_t kForeverS = 4'000'000'000;  // 127 years, with room for a clock's time in 64 bits
constexpr std::int64_t kNeverNs = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kFirstPauseNs = 10'000, kLongestPauseNs = 1'000'000;

bool waits_as_fiber() { return program_rank() && !in_forked_child(); }

bool is_time(const timespec& t) { return t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < kNsPerS; }
std::int64_t ns_of(const timespec& t) {
  return std::min<std::int64_t>(t.tv_sec, kForeverS) * kNsPerS + t.tv_nsec;
}
std::int64_t now_ns(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return ns_of(now);
}

/// Records a wait of the program's, which takes the same time wherever it is replayed.
template <class Wait>
auto record_if_wanted(trace::EventKind kind, const Wait& wait) {
  if (!trace::recording) [[likely]]
    return wait();
  return record_call(*current_rank(), wait, [&](trace::Event& event, auto) {
    event.kind = kind;
    if (kind == trace::EventKind::file) event.what = static_cast<std::uint8_t>(trace::FileCall::other);
  });
}

/// Sleeps until the deadline, never less, as it looks at the clock again. The others run at least once.
void sleep_through(clockid_t clock, std::int64_t deadline_ns) {
  fiber::RuntimeScope runtime;
  std::int64_t left = deadline_ns - now_ns(clock);
  if (left <= 0) return yield();
  for (; left > 0; left = deadline_ns - now_ns(clock)) skein::sleep_for(static_cast<std::uint64_t>(left));
}
void sleep_until(clockid_t clock, std::int64_t deadline_ns) {
  (void)record_if_wanted(trace::EventKind::sleep, [&] {
    sleep_through(clock, deadline_ns);
    return 0;
  });
}
void sleep_ns(std::int64_t ns) { sleep_until(CLOCK_MONOTONIC, now_ns(CLOCK_MONOTONIC) + ns); }

/// Returns true if this clock goes on although the process does not run.
bool runs_always(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_MONOTONIC:
    case CLOCK_BOOTTIME:
    case CLOCK_TAI:
      return true;
    default:
      return false;
  }
}

/// The time that is left of a wait for descriptors.
class Patience {
 public:
  /// Begins a wait of `ns`, or without end for kNeverNs.
  explicit Patience(std::int64_t ns)
      : deadline_ns_(ns == kNeverNs ? kNeverNs : now_ns(CLOCK_MONOTONIC) + ns), left_ns_(ns) {}

  /// Sleeps until the next look. Returns false when the time is over.
  bool pause() {
    if (left_ns_ <= 0) return false;
    skein::sleep_for(static_cast<std::uint64_t>(std::min(pause_ns_, left_ns_)));
    pause_ns_ = std::min(2 * pause_ns_, kLongestPauseNs);
    if (deadline_ns_ != kNeverNs) left_ns_ = deadline_ns_ - now_ns(CLOCK_MONOTONIC);
    return true;
  }
  std::int64_t left_ns() const { return std::max<std::int64_t>(left_ns_, 0); }

 private:
  std::int64_t deadline_ns_, left_ns_;
  std::int64_t pause_ns_ = kFirstPauseNs;
};

/// Calls `look()`, the C library's function with no time to wait, until it does not return 0, or the time is
/// over.
template <class Look>
int look_and_wait(Patience& patience, Look look) {
  int found = look();
  // A program that polls without waiting must let others run all the same.
  if (found == 0 && patience.left_ns() == 0) yield();
  while (found == 0 && patience.pause()) found = look();
  return found;
}

template <class Look>
int look_until(Patience& patience, Look look) {
  return record_if_wanted(trace::EventKind::file, [&] { return look_and_wait(patience, look); });
}

std::int64_t patience_ms(int ms) { return ms < 0 ? kNeverNs : std::int64_t{ms} * 1'000'000; }
std::int64_t patience_of(const timespec* t) { return t ? ns_of(*t) : kNeverNs; }

int invalid() {
  errno = EINVAL;
  return -1;
}

/// The sets of a select() that has not found anything yet: each look overwrites them.
class DescriptorSets {
 public:
  DescriptorSets(int count, fd_set* read, fd_set* write, fd_set* except)
      : given_{read, write, except}, bytes_((static_cast<std::size_t>(count) + 63) / 64 * 8) {
    for (std::size_t i = 0; i < given_.size(); ++i) {
      if (!given_[i]) continue;
      asked_[i].resize(bytes_);
      memcpy(asked_[i].data(), given_[i], bytes_);
    }
  }
  void ask_again() {
    for (std::size_t i = 0; i < given_.size(); ++i)
      if (given_[i]) memcpy(given_[i], asked_[i].data(), bytes_);
  }

 private:
  std::array<fd_set*, 3> given_;
  std::array<std::vector<char>, 3> asked_;
  std::size_t bytes_;
};

template <class Look>
int select_until(Patience& patience, int count, fd_set* read, fd_set* write, fd_set* except, Look look) {
  if (count < 0) return invalid();
  fiber::RuntimeScope runtime;
  DescriptorSets sets(count, read, write, except);
  return look_until(patience, [&] {
    sets.ask_again();
    return look();
  });
}

int rank_poll_checked(pollfd* descriptors, nfds_t count, int ms, std::size_t) {
  return poll(descriptors, count, ms);
}
int rank_ppoll_checked(pollfd* descriptors, nfds_t count, const timespec* time, const sigset_t* mask,
                       std::size_t) {
  return ppoll(descriptors, count, time, mask);
}

}  // namespace
}  // namespace skein::libc

using namespace skein::libc;

extern "C" {

unsigned sleep(unsigned seconds) {
  static const auto real = next_function<unsigned(unsigned)>("sleep");
  if (!waits_as_fiber()) return real(seconds);
  sleep_ns(std::int64_t{seconds} * kNsPerS);
  return 0;
}

int usleep(useconds_t microseconds) {
  static const auto real = next_function<int(useconds_t)>("usleep");
  if (!waits_as_fiber()) return real(microseconds);
  sleep_ns(std::int64_t{microseconds} * 1000);
  return 0;
}

int nanosleep(const timespec* time, timespec* left) {
  static const auto real = next_function<int(const timespec*, timespec*)>("nanosleep");
  if (!waits_as_fiber() || !is_time(*time)) return real(time, left);
  sleep_ns(ns_of(*time));
  return 0;
}

int thrd_sleep(const timespec* time, timespec* left) {
  static const auto real = next_function<int(const timespec*, timespec*)>("thrd_sleep");
  if (!waits_as_fiber() || !is_time(*time)) return real(time, left);
  sleep_ns(ns_of(*time));
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  static const auto real = next_function<int(clockid_t, int, const timespec*, timespec*)>("clock_nanosleep");
  if (!waits_as_fiber() || !is_time(*time) || !runs_always(clock)) return real(clock, flags, time, left);
  sleep_until(clock, ns_of(*time) + (flags & TIMER_ABSTIME ? 0 : now_ns(clock)));
  return 0;
}

int sched_yield() noexcept {
  static const auto real = next_function<int()>("sched_yield");
  if (!waits_as_fiber()) return real();
  skein::fiber::RuntimeScope runtime;
  skein::yield();
  return skein::any_ready() ? 0 : real();
}

int poll(pollfd* descriptors, nfds_t count, int ms) {
  static const auto real = next_function<int(pollfd*, nfds_t, int)>("poll");
  if (!waits_as_fiber()) return real(descriptors, count, ms);
  skein::fiber::RuntimeScope runtime;
  Patience patience(patience_ms(ms));
  return look_until(patience, [&] { return real(descriptors, count, 0); });
}

int ppoll(pollfd* descriptors, nfds_t count, const timespec* time, const sigset_t* mask) {
  static const auto real = next_function<int(pollfd*, nfds_t, const timespec*, const sigset_t*)>("ppoll");
  if (!waits_as_fiber()) return real(descriptors, count, time, mask);
  if (time && !is_time(*time)) return invalid();
  skein::fiber::RuntimeScope runtime;
  Patience patience(patience_of(time));
  const timespec at_once = {};
  return look_until(patience, [&] { return real(descriptors, count, &at_once, mask); });
}

int select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* time) {
  static const auto real = next_function<int(int, fd_set*, fd_set*, fd_set*, timeval*)>("select");
  if (!waits_as_fiber()) return real(count, read, write, except, time);
  if (time && (time->tv_sec < 0 || time->tv_usec < 0)) return invalid();
  const std::int64_t ns =
      time ? std::min<std::int64_t>(time->tv_sec, kForeverS) * kNsPerS + time->tv_usec * 1000 : kNeverNs;
  Patience patience(ns);
  const int found = select_until(patience, count, read, write, except, [&] {
    timeval at_once = {};
    return real(count, read, write, except, &at_once);
  });
  // As on Linux, returns the time that is left.
  if (time) *time = {patience.left_ns() / kNsPerS, patience.left_ns() % kNsPerS / 1000};
  return found;
}

int pselect(int count, fd_set* read, fd_set* write, fd_set* except, const timespec* time,
            const sigset_t* mask) {
  static const auto real =
      next_function<int(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)>("pselect");
  if (!waits_as_fiber()) return real(count, read, write, except, time, mask);
  if (time && !is_time(*time)) return invalid();
  Patience patience(patience_of(time));
  const timespec at_once = {};
  return select_until(patience, count, read, write, except,
                      [&] { return real(count, read, write, except, &at_once, mask); });
}

int epoll_wait(int epoll, epoll_event* events, int most, int ms) {
  static const auto real = next_function<int(int, epoll_event*, int, int)>("epoll_wait");
  if (!waits_as_fiber()) return real(epoll, events, most, ms);
  skein::fiber::RuntimeScope runtime;
  Patience patience(patience_ms(ms));
  return look_until(patience, [&] { return real(epoll, events, most, 0); });
}

int epoll_pwait(int epoll, epoll_event* events, int most, int ms, const sigset_t* mask) {
  static const auto real = next_function<int(int, epoll_event*, int, int, const sigset_t*)>("epoll_pwait");
  if (!waits_as_fiber()) return real(epoll, events, most, ms, mask);
  skein::fiber::RuntimeScope runtime;
  Patience patience(patience_ms(ms));
  return look_until(patience, [&] { return real(epoll, events, most, 0, mask); });
}

/// Exists since glibc 2.35; here, called with no time to wait, it is epoll_pwait().
int epoll_pwait2(int epoll, epoll_event* events, int most, const timespec* time, const sigset_t* mask) {
  if (time && !is_time(*time)) return invalid();
  if (!waits_as_fiber()) {
    static const auto real =
        next_function<int(int, epoll_event*, int, const timespec*, const sigset_t*)>("epoll_pwait2");
    return real(epoll, events, most, time, mask);
  }
  static const auto look = next_function<int(int, epoll_event*, int, int, const sigset_t*)>("epoll_pwait");
  skein::fiber::RuntimeScope runtime;
  Patience patience(patience_of(time));
  return look_until(patience, [&] { return look(epoll, events, most, 0, mask); });
}

}  // extern "C"

namespace skein::libc {

const Overrides waiting_overrides({
    {"sleep", address_of(::sleep)},
    {"usleep", address_of(usleep)},
    {"nanosleep", address_of(nanosleep)},
    {"thrd_sleep", address_of(thrd_sleep)},
    {"clock_nanosleep", address_of(clock_nanosleep)},
    {"sched_yield", address_of(sched_yield)},
    {"poll", address_of(poll)},
    {"__poll_chk", address_of(rank_poll_checked)},
    {"ppoll", address_of(ppoll)},
    {"__ppoll_chk", address_of(rank_ppoll_checked)},
    {"select", address_of(select)},
    {"pselect", address_of(pselect)},
    {"epoll_wait", address_of(epoll_wait)},
    {"epoll_pwait", address_of(epoll_pwait)},
    {"epoll_pwait2", address_of(epoll_pwait2)},
});

}  // namespace skein::libc
