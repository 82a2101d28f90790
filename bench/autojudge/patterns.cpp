// SPDX-License-Identifier: Apache-2.0
#include "bench/autojudge/patterns.hpp"

#include <algorithm>

#include "lb/simulate/balancer.hpp"
#include "skein/lb/best_steps.hpp"

namespace autojudge {

using skein::simulate::Balancer;
using skein::simulate::Measured;
using skein::simulate::Ns;

namespace {

skein::lb::Assignment in_blocks(const Job& job) {
  skein::lb::Assignment placed(job.objects);
  for (std::size_t i = 0; i < job.objects; ++i)
    placed[i] = static_cast<skein::lb::PeIndex>(i * job.pes / job.objects);
  return placed;
}

}  // namespace

Played play(const Job& job, const skein::simulate::Platform& platform,
            const skein::simulate::Policy& policy) {
  Balancer balancer(platform, policy, in_blocks(job));
  Played played;
  Ns now = 0;
  std::vector<Measured> measured(job.objects);
  std::vector<Ns> of_pe(job.pes);
  const std::vector<Ns> waited(job.pes, 0);  // they do at each point
  for (std::size_t point = 0; point < job.points; ++point) {
    const std::vector<Ns> loads = loads_at(job, point);
    std::ranges::fill(of_pe, 0);
    for (std::size_t i = 0; i < job.objects; ++i) {
      measured[i].busy += loads[i];
      measured[i].bytes = job.bytes;
      of_pe[balancer.placement()[i]] += loads[i];
    }
    now += std::ranges::max(of_pe);
    if (!balancer.gathers(point)) continue;
    const auto outcome = balancer.step(now, waited, measured, {});
    const Ns moving = outcome.record.move;
    balancer.moved_in(moving);
    now += outcome.decided + moving;
    ++played.steps;
    played.moved += outcome.record.moved;
    for (Measured& one : measured) one.busy = 0;
  }
  played.seconds = static_cast<double>(now) * 1e-9;
  return played;
}

skein::lb::BestTimes optimum(const Job& job, const skein::simulate::Platform& platform) {
  skein::simulate::PointLoads loads;
  loads.bytes.assign(job.objects, job.bytes);
  for (std::size_t point = 0; point < job.points; ++point) {
    const std::vector<Ns> ns = loads_at(job, point);
    loads.ns.emplace_back(ns.begin(), ns.end());
  }
  skein::lb::BestTimes best;
  for (const char* const strategy : {"greedy-refine", "refine"})
    for (const std::size_t window : {0, 1, 8}) {
      skein::simulate::Policy policy;
      policy.strategy = strategy;
      const skein::lb::BestTimes times =
          skein::simulate::best_steps(loads, platform, policy, in_blocks(job), window);
      if (best.seconds == 0 || times.seconds < best.seconds) best = times;
    }
  return best;
}

}  // namespace autojudge
