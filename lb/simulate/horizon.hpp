// SPDX-License-Identifier: Apache-2.0
// How long things may take in a simulation, so that no sum of times leaves its type: what takes longer is an
// error that names the number at fault, and no time that is wrong.
//
//     one message, or one part of an LB step    below kLongestMessageNs   2^50 ns, 13 days
//     one burst                                 below kLongestBurstNs   2^57 ns, 4.6 years
//     the job                                   below kHorizonNs   2^60 ns, 36.5 years
//
// A PE's clock is looked at after each burst and whenever it sends, and all of them when a window begins; so
// between two looks it goes on by some thousand messages at most, and stays below 2^63.
#pragma once
#include <cmath>
#include <string>

#include "skein/lb/simulate.hpp"

namespace skein::simulate {

inline constexpr Ns kLongestMessageNs = Ns{1} << 50;
inline constexpr Ns kLongestBurstNs = Ns{1} << 57;
inline constexpr Ns kHorizonNs = Ns{1} << 60;

/// "13.03 days", "4.6 years".
std::string long_time(double ns);

/// `what`: of which the time is, and where it comes from.
[[noreturn]] void fail_as_too_long(double ns, const std::string& what);
[[noreturn]] void fail_beyond_horizon(const Platform& platform);

/// Whole nanoseconds of one message or part of an LB step.
inline Ns whole_ns(double ns, const char* what) {
  if (!(ns < static_cast<double>(kLongestMessageNs))) [[unlikely]]
    fail_as_too_long(ns, what);
  return std::llround(ns);
}

}  // namespace skein::simulate
