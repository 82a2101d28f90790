// SPDX-License-Identifier: Apache-2.0
// The fibers of this PE that wait for a time, in the order of their times. Process memory: no rank moves
// while one of its fibers sleeps, since a rank that sleeps is at no sync point, and a PE with a sleeping
// fiber ends no meeting.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace skein {

struct Fiber;

class Sleepers {
 public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  /// Adds a fiber; `wake_at` is a value of ticks().
  void add(Fiber& fiber, std::uint64_t wake_at);
  /// Removes and returns the next fiber to wake. Precondition: there is one.
  Fiber& pop();

  bool any() const { return !heap_.empty(); }
  /// Returns when the next fiber is to wake: `never` if none sleeps. One word, as every switch reads it.
  std::uint64_t next() const { return next_; }

 private:
  struct Sleeper {
    std::uint64_t wake_at;
    Fiber* fiber;
  };
  static bool wakes_later(const Sleeper& a, const Sleeper& b) { return a.wake_at > b.wake_at; }
  void note_next() { next_ = heap_.empty() ? never : heap_.front().wake_at; }

  std::uint64_t next_ = never;
  std::vector<Sleeper> heap_;  // a heap by wakes_later()
};

}  // namespace skein
