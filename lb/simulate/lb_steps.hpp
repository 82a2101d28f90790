// SPDX-License-Identifier: Apache-2.0
// LB steps of a simulated job: measures the interval, has the balancer decide, plays the moves, and lets the
// objects go on.
#pragma once
#include <optional>

#include "lb/simulate/balancer.hpp"
#include "lb/simulate/job_state.hpp"
#include "lb/simulate/passed_points.hpp"
#include "lb/simulate/traffic.hpp"

namespace skein::simulate {

class LbSteps final : public StopsAt {
 public:
  LbSteps(const Platform& platform, const Policy& policy, const lb::Assignment& placed)
      : balancer_(platform, policy, placed), placed_(placed) {
    if (!balancer_.balances()) passed_.emplace(policy.period, placed.size(), platform.pe_count());
  }

  bool gathers(std::uint64_t passed) const override { return balancer_.gathers(passed); }
  // Where the messages of objects are to be noted, or null.
  Traffic* traffic() { return balancer_.wants_traffic() ? &traffic_ : nullptr; }

  // Whom to tell of sync points, or null.
  PassedPoints* passed() { return passed_ ? &*passed_ : nullptr; }

  // All PEs have come. Afterwards they go on, and the timeline has the step and the interval before.
  void step(JobState& job, Player& player, Network& network, Timeline& timeline);
  // The interval from the last step to the end.
  void close(JobState& job, Player& player, Timeline& timeline);

 private:
  void end_interval(JobState& job, Timeline& timeline);

  Balancer balancer_;
  const lb::Assignment placed_;  // at first
  Traffic traffic_;
  std::optional<PassedPoints> passed_;  // where there are no steps
};

}  // namespace skein::simulate
