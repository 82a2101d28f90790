// SPDX-License-Identifier: Apache-2.0
#include "bench/autojudge/patterns.hpp"

#include <algorithm>
#include <numeric>

#include "lb/simulate/balancer.hpp"
#include "skein/lb/best_steps.hpp"

namespace autojudge {

using skein::simulate::Balancer;
using skein::simulate::Ns;
using skein::simulate::ObjectMeasurement;

namespace {

skein::lb::Assignment in_blocks(const Job& job) {
  skein::lb::Assignment placed(job.objects);
  for (std::size_t i = 0; i < job.objects; ++i)
    placed[i] = static_cast<skein::lb::PeIndex>(i * job.pes / job.objects);
  return placed;
}

}  // namespace

namespace {

// Measures the loads of objects in the last `window` points.
void measure_again(const Job& job, std::size_t point, std::size_t window,
                   std::vector<ObjectMeasurement>& measured) {
  for (ObjectMeasurement& one : measured) one.busy = 0;
  for (std::size_t k = point + 1 - std::min(window, point + 1); k <= point; ++k) {
    const std::vector<Ns> loads = loads_at(job, k);
    for (std::size_t i = 0; i < job.objects; ++i) measured[i].busy += loads[i];
  }
}

// `is_step` returns true if a step follows the point, whose times on the PEs it gets; `stepped` gets the
// step's time.
Played play_with(const Job& job, const skein::simulate::Platform& platform,
                 const skein::simulate::Policy& policy, const auto& is_step, const auto& stepped,
                 std::size_t window = 0) {
  Balancer balancer(platform, policy, in_blocks(job));
  Played played;
  Ns now = 0;
  std::vector<ObjectMeasurement> measured(job.objects);
  std::vector<Ns> of_pe(job.pes);
  const std::vector<Ns> waited(job.pes, 0);  // PEs wait at each point, which does not count here
  for (std::size_t point = 0; point < job.points; ++point) {
    const std::vector<Ns> loads = loads_at(job, point);
    std::ranges::fill(of_pe, 0);
    for (std::size_t i = 0; i < job.objects; ++i) {
      measured[i].busy += loads[i];
      measured[i].bytes = job.bytes;
      of_pe[balancer.placement()[i]] += loads[i];
    }
    now += std::ranges::max(of_pe);
    if (!is_step(balancer, point, of_pe)) continue;
    if (window > 0) measure_again(job, point, window, measured);
    const auto outcome = balancer.step(now, waited, measured, {});
    const Ns moving = outcome.record.move;
    balancer.moved_in(moving);
    now += outcome.decided + moving;
    stepped(outcome.decided + moving);
    ++played.steps;
    played.moved += outcome.record.moved;
    for (ObjectMeasurement& one : measured) one.busy = 0;
  }
  played.seconds = static_cast<double>(now) * 1e-9;
  return played;
}

}  // namespace

Played play(const Job& job, const skein::simulate::Platform& platform,
            const skein::simulate::Policy& policy) {
  return play_with(
      job, platform, policy,
      [](const Balancer& balancer, std::size_t point, const std::vector<Ns>&) {
        return balancer.gathers(point);
      },
      [](Ns) {});
}

Played play_where(const Job& job, const skein::simulate::Platform& platform,
                  const skein::simulate::Policy& policy, const std::function<bool(double)>& is_step,
                  const std::function<void(double)>& stepped, std::size_t window) {
  return play_with(
      job, platform, policy,
      [&](const Balancer&, std::size_t, const std::vector<Ns>& of_pe) {
        const double mean = static_cast<double>(std::accumulate(of_pe.begin(), of_pe.end(), Ns{0})) /
                            static_cast<double>(of_pe.size());
        return is_step((static_cast<double>(std::ranges::max(of_pe)) - mean) * 1e-9);
      },
      [&](Ns took) { stepped(static_cast<double>(took) * 1e-9); }, window);
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
