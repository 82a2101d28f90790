// SPDX-License-Identifier: Apache-2.0
// Limits of times in a simulation, so that no sum of times overflows: a longer time is an error that names
// the number at fault.
//
//     one message, or one part of an LB step    below kLongestMessageNs   2^50 ns, 13 days
//     one burst                                 below kLongestBurstNs   2^57 ns, 4.6 years
//     the job                                   below kHorizonNs   2^60 ns, 36.5 years
//
// A PE's clock is checked after each burst and at each send, and all clocks when a window begins. Between two
// checks a clock advances by some thousand messages at most, and stays below 2^63.
#pragma once
#include <cmath>
#include <string>

#include "skein/lb/simulate.hpp"

namespace skein::simulate {

inline constexpr Ns kLongestMessageNs = Ns{1} << 50;
inline constexpr Ns kLongestBurstNs = Ns{1} << 57;
inline constexpr Ns kHorizonNs = Ns{1} << 60;

/// Returns "13.03 days" or "4.6 years".
std::string long_time(double ns);

/// Throws SimulationError. `what` names the action that takes the time, and where the time comes from.
[[noreturn]] void fail_as_too_long(double ns, const std::string& what);
[[noreturn]] void fail_beyond_horizon(const Platform& platform);

/// Returns the whole nanoseconds of one message or part of an LB step. Throws SimulationError if it is too
/// long.
inline Ns whole_ns(double ns, const char* what) {
  if (!(ns < static_cast<double>(kLongestMessageNs))) [[unlikely]]
    fail_as_too_long(ns, what);
  return std::llround(ns);
}

}  // namespace skein::simulate
