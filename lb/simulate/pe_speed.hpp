// SPDX-License-Identifier: Apache-2.0
// The time of a burst on a PE: by its speed, the part of it that others take, changes of both over time, and
// noise.
//
// At time t PE p does
//     rate(p, t) = speed * speeds[p] * (1 - background[p]) * product of the factors of its changes at t
// of a recorded nanosecond in a nanosecond. A burst of w work, noise included, that begins at b ends at the
// first e with integral of rate over [b, e] >= w. The processor time that a run measures is the part of that
// time that others do not take: the integral of (1 - background) where the rate is not 0.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "lb/simulate/horizon.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"

namespace skein::simulate {

class PeSpeed {
 public:
  explicit PeSpeed(const Platform& platform);

  struct Span {
    Ns end = 0;   // begin + kLongestBurstNs: then or later; `never`: the PE stands still for ever
    Ns busy = 0;  // processor time that a run measures
  };
  Span run(PeIndex pe, Ns begin, std::uint64_t work_ns) const {
    const Rate& rate = rate_of(pe);
    if (rate.steps != 0) [[unlikely]]
      return run_with_changes(rate, begin, work_ns);
    const auto work = static_cast<double>(
        static_cast<Ns>(work_ns));  // signed conversion is one instruction; see horizon.hpp
    const Ns wall = to_ns(work * rate.wall);
    return {begin + wall, rate.processor == rate.wall ? wall : to_ns(work * rate.processor)};
  }

  /// Returns a burst's time for a ns of work, if that is constant and a run measures all of it; else NaN.
  double steady_rate(PeIndex pe) const {
    const Rate& rate = rate_of(pe);
    return rate.steps == 0 && rate.processor == rate.wall ? rate.wall
                                                          : std::numeric_limits<double>::quiet_NaN();
  }

  /// The computing of a PE in a span of time.
  struct Done {
    double work = 0;       // ns, recorded
    double processor = 0;  // ns that a run measures
  };
  Done done(PeIndex pe, Ns begin, Ns end) const;

  /// Returns the processor time that a run would measure of this work, if the PE's speed does not change.
  Ns processor_ns(PeIndex pe, std::uint64_t work_ns) const {
    return to_ns(static_cast<double>(work_ns) * rate_of(pe).processor);
  }

  /// Rounds to ns; longer bursts count as kLongestBurstNs.
  static Ns to_ns(double ns) {
    constexpr auto most = static_cast<double>(kLongestBurstNs);
    return ns < most ? static_cast<Ns>(ns + 0.5) : kLongestBurstNs;
  }

 private:
  struct Step {  // holds until the PE's next step
    Ns from;
    double factor;
  };
  struct Rate {
    double wall;       // ns of time for a ns of work
    double processor;  // processor time that the burst gets in it
    std::uint32_t steps = 0;
    std::uint32_t first_step = 0;
  };
  Span run_with_changes(const Rate& rate, Ns begin, std::uint64_t work_ns) const;

  const Rate& rate_of(PeIndex pe) const { return rates_[alike_ ? 0 : pe]; }

  bool alike_;
  std::vector<Rate> rates_;  // a single one if all PEs are alike
  std::vector<Step> steps_;
};

/// Returns the work of a burst with noise, which is drawn from the seed, the object and the burst's number
/// alone, so that it does not depend on when or where any burst runs. `deviation` is relative.
std::uint64_t with_noise(std::uint64_t work_ns, double deviation, std::uint64_t seed, std::uint64_t object,
                         std::uint64_t number);

}  // namespace skein::simulate
