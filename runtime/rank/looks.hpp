// SPDX-License-Identifier: Apache-2.0
// Looks at the clock. Reading it takes a quarter of a switch, and each look does what is done now and then:
// is a poll due, is a fiber to wake, what differs between ranks? So events that come every few nanoseconds
// share looks: switches between ranks, if nobody wants to know what each takes (share_looks() in
// scheduler.hpp), and calls that could have waited and did not (poll_in_passing() there).
#pragma once

#include <algorithm>
#include <cstdint>

namespace skein {

/// The time aimed at between two looks. Calls that do not switch come each 50 ns or each millisecond: so the
/// number of them between two looks adapts to how many took this time before, and is at least one. Switches
/// that may share looks adapt in this way, too, up to a small number: when ranks begin to compute, so many of
/// them do so before the next look at clock and transport.
inline constexpr double kBetweenLooksNs = 2500;
inline constexpr std::uint32_t kMostBetweenLooks = 64;
inline constexpr std::uint32_t kMostSwitchesBetweenLooks = 4;

/// Counts the looks of switches.
class SwitchLooks {
 public:
  /// kBetweenLooksNs, in ticks of the process's clock. Set before the first switch.
  std::uint64_t ticks_between = 0;
  /// Returns true if the coming switch needs no look, and counts the switch.
  bool not_now() { return --until_look_ > 0; }
  /// Notes a look, `took` ticks after the one before.
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
