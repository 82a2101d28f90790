// SPDX-License-Identifier: Apache-2.0
// Looks at the clock. A reading takes a quarter of a switch, and with it comes whatever else is looked at now
// and then: whether a poll is due, whether a fiber is to wake, what differs between ranks. So what comes
// within nanoseconds, again and again, shares looks: switches between ranks, where nobody wants to know what
// each takes (share_looks() in scheduler.hpp), and calls that could have waited and did not
// (poll_in_passing() there).
#pragma once

#include <algorithm>
#include <cstdint>

namespace skein {

/// Calls that do not switch come each 50 ns or each millisecond: between two readings of the clock are as
/// many as took a few microseconds before, or one. So are switches, where they may share readings; but they
/// are few, for when ranks begin to compute that many do so before the clock is looked at, and the transport
/// is.
inline constexpr double kBetweenLooksNs = 2500;
inline constexpr std::uint32_t kMostBetweenLooks = 64;
inline constexpr std::uint32_t kMostSwitchesBetweenLooks = 4;

/// The looks of switches.
class SwitchLooks {
 public:
  /// kBetweenLooksNs, in ticks of the process's clock. Set before the first switch.
  std::uint64_t ticks_between = 0;
  /// Whether the switch that comes now needs none. Then the next one is asked about.
  bool not_now() { return --until_look_ > 0; }
  /// One was had, and it took so long since the one before.
  void was_had(std::uint64_t took) {
    if (most_between_ > 1) adapt(took);
    until_look_ = between_;
  }
  void share() { most_between_ = kMostSwitchesBetweenLooks; }
  void each_switch() { most_between_ = between_ = 1; }
  bool are_each_switch() const { return most_between_ == 1; }

 private:
  void adapt(std::uint64_t took) {
    between_ = took > ticks_between ? 1 : std::min(2 * between_, most_between_);
  }
  std::uint32_t until_look_ = 1;
  std::uint32_t between_ = 1;
  std::uint32_t most_between_ = 1;
};

}  // namespace skein
