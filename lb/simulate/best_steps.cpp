// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/best_steps.hpp"

#include <algorithm>

#include "lb/simulate/balancer.hpp"
#include "lb/simulate/pe_speed.hpp"
#include "lb/simulate/step_costs.hpp"
#include "skein/lb/measured_objects.hpp"

namespace skein::simulate {
namespace {

constexpr double kNsPerS = 1e9;
/// The most points at which there can be steps: each takes a decision, and a sum over all later points.
constexpr std::size_t kMostSteps = 512;

class Replay {
 public:
  Replay(const PointLoads& loads, const Platform& platform, const Policy& policy,
         const lb::Assignment& placed, std::size_t window)
      : loads_(loads),
        platform_(platform),
        strategy_(lb::parse_strategy(policy.strategy)),
        seed_(policy.seed),
        window_(window),
        pes_(platform.pe_count()),
        speed_(platform),
        speeds_(speeds_seen(platform, policy)),
        placements_(loads.ns.size()) {
    placements_[0] = placed;
    for (PeIndex pe = 0; pe < pes_; ++pe) node_of_pe_.push_back(platform.node_of(pe));
  }

  lb::StepTimes held_after(std::size_t point, std::size_t before) {
    lb::StepTimes held;
    if (point > 0) held.step_s = step(point, before);
    for (std::size_t k = point; k < loads_.ns.size(); ++k)
      held.point_s.push_back(fullest_s(placements_[point], loads_.ns[k]));
    return held;
  }

 private:
  /// Decides, and returns the time of the step.
  double step(std::size_t point, std::size_t before) {
    const lb::Snapshot snapshot = make_snapshot(point, before);
    placements_[point] = strategy_.assign(snapshot, seed_ + point);
    const MoveTimes moves = move_times(platform_, snapshot.objects, placements_[point]);
    std::vector<double> busy(moves.of_pe.begin(), moves.of_pe.end());
    const double byte_ns = 1e9 * measured_costs(platform_).byte_s;
    for (const StepOutcome::Transfer& transfer : moves.transfers)
      for (const PeIndex pe : {transfer.from, transfer.to})
        busy[pe] += byte_ns * static_cast<double>(transfer.bytes);
    const std::size_t objects = snapshot.object_count();
    const Ns look = meeting_time(platform_) + collecting_time(platform_, objects) +
                    decision_time(platform_, strategy_.info->name, objects, pes_, 0);
    return (static_cast<double>(look) + std::ranges::max(busy)) / kNsPerS;
  }

  lb::Snapshot make_snapshot(std::size_t point, std::size_t before) const {
    const lb::Assignment& place = placements_[before];
    std::vector<std::uint64_t> sum(place.size(), 0);
    const std::size_t first = window_ == 0 ? before : point - std::min(point, window_);
    for (std::size_t k = first; k < point; ++k)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += loads_.ns[k][i];
    std::vector<lb::MeasuredObject> measured;
    measured.reserve(sum.size());
    for (std::size_t i = 0; i < sum.size(); ++i)
      measured.push_back({.id = i,
                          .pe = place[i],
                          .load = static_cast<double>(sum[i]) / kNsPerS,
                          .bytes = loads_.bytes[i],
                          .may_move = true});
    return lb::make_snapshot({.objects = measured, .node_of_pe = node_of_pe_, .speed_of_pe = speeds_});
  }

  double fullest_s(const lb::Assignment& place, const std::vector<std::uint64_t>& ns) {
    of_pe_.assign(pes_, 0);
    for (std::size_t i = 0; i < ns.size(); ++i) of_pe_[place[i]] += ns[i];
    Ns fullest = 0;
    for (PeIndex pe = 0; pe < pes_; ++pe) fullest = std::max(fullest, speed_.processor_ns(pe, of_pe_[pe]));
    return static_cast<double>(fullest) / kNsPerS;
  }

  const PointLoads& loads_;
  const Platform& platform_;
  const lb::Selection strategy_;
  const std::uint64_t seed_;
  const std::size_t window_;
  const std::size_t pes_;
  const PeSpeed speed_;
  const std::vector<double> speeds_;
  std::vector<std::uint32_t> node_of_pe_ = {};
  std::vector<lb::Assignment> placements_;  // by the point before which the step was made
  std::vector<std::uint64_t> of_pe_ = {};   // reused from call to call
};

}  // namespace

PointLoads point_loads(const trace::Trace& trace) {
  PointLoads loads;
  loads.bytes.assign(trace.object_count(), 0);
  for (trace::ObjectIndex object = 0; object < trace.object_count(); ++object) {
    std::size_t point = 0;
    trace::Cursor cursor = trace.events(object);
    while (const trace::Event* event = cursor.next()) {
      if (point == loads.ns.size()) loads.ns.emplace_back(trace.object_count(), 0);
      loads.ns[point][object] += event->burst_ns;
      if (event->kind != trace::EventKind::sync) continue;
      loads.bytes[object] = event->bytes;
      ++point;
    }
  }
  return loads;
}

lb::BestTimes best_steps(const PointLoads& loads, const Platform& platform, const Policy& policy,
                         const lb::Assignment& placed, std::size_t window) {
  const std::size_t points = loads.ns.size();
  if (points == 0) return {};
  Replay replay(loads, platform, policy, placed, window);
  return lb::best_times(
      points, (points + kMostSteps - 1) / kMostSteps,
      [&](std::size_t point, std::size_t before) { return replay.held_after(point, before); });
}

lb::BestTimes best_steps(const trace::Trace& trace, const Platform& platform, const Policy& policy) {
  return best_steps(point_loads(trace), platform, policy, first_placement(trace, platform, policy));
}

}  // namespace skein::simulate
