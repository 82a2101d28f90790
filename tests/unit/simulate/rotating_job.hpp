// SPDX-License-Identifier: Apache-2.0
// A small job that reserved PEs rotate, whose timelines can be worked out by hand.
#pragma once
#include "tests/unit/simulate/make_trace.hpp"

namespace rotating_job {

using namespace skein::simulate;
namespace lb = skein::lb;
namespace trace = skein::trace;

// Two ranks, each of which computes 10,000 before each of its sync points and before its end. It sleeps for
// 10 behind each, in which its PE hears messages.
inline trace::Trace two_ranks(int points) {
  Program program(2);
  for (unsigned rank = 0; rank < 2; ++rank) {
    program.on(rank);
    for (int i = 0; i < points; ++i) program.sync(0, 10000).sleep(10);
    program.end(10000);
  }
  return program.finish();
}

// Two PEs that compute, and one that decides. A decision of `rotate`, on two objects and two PEs, takes 400.
inline Platform three() {
  Platform platform = apart(3);
  platform.decision_element_ns["rotate"] = 100;
  return platform;
}

inline Policy rotating(const char* mode, std::uint64_t period) {
  Policy policy = in_blocks();
  policy.strategy = "rotate";
  policy.mode = lb::parse_mode(mode);
  policy.period = period;
  return policy;
}

// The telling, down a tree of two levels: 100 to send, 1000 on the way, 50 to receive, and half a nanosecond
// for each of the four bytes an object.
inline constexpr Ns telling = 2 * (100 + 1000 + 50 + 4);
// The time in which two empty objects change places.
inline constexpr Ns moving = 1000;

// Two PEs compute, and two decide: about two objects and two PEs for 5 + `more` + 4 / 2 * 100 + log2(2) * 30
// + 2 * 7 = 249 + `more`, with a strategy of which several PEs can decide.
inline Platform two_and_two(double more = 0) {
  Platform platform = apart(4);
  platform.together = {.element_ns = {{"rotate", 100}},
                       .ns = {{"rotate", 5 + more}},
                       .level_ns = {{"rotate", 30}},
                       .pe_ns = {{"rotate", 7}},
                       .pes = {{"rotate", 2}}};
  platform.moves.collect_object_ns = 10;
  return platform;
}
// Each of the two PEs gathers one object; then all PEs are told of the step, down a tree of two levels, and
// each PE of its object.
inline constexpr Ns hears = 100 + 1000 + 50, collecting_of_two = 10 + 2 * hears + (hears + 2);

}  // namespace rotating_job
