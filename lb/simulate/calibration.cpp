// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/calibration.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>

#include "lb/simulate/relative_fit.hpp"
#include "lb/simulate/together_curve.hpp"
#include "skein/lb/curve.hpp"

namespace skein::simulate {
namespace {

/// Differences of measured times may be zero or negative: they count as this.
constexpr double kLeastNs = 1;

double at(std::span<const SizeTime> points, double bytes) {
  for (const SizeTime& point : points)
    if (point.bytes == bytes) return point.ns;
  return 0;
}

/// Adds a larger number of PEs; the factors in between are on a straight line.
void add_factor(std::vector<double>& contention, std::uint32_t pes, double factor) {
  const std::size_t known = contention.size();
  const double before = known == 0 ? factor : contention.back();
  for (std::size_t k = known + 1; k <= pes; ++k)
    contention.push_back(before + (factor - before) * static_cast<double>(k - known) /
                                      static_cast<double>(pes - known));
}

/// Returns how much longer `points` take than `base`, for sizes of both from `least` to `most` bytes.
std::vector<SizeTime> beyond(std::span<const SizeTime> points, std::span<const SizeTime> base, double least,
                             double most) {
  std::vector<SizeTime> result;
  for (const SizeTime& point : points)
    if (const double usual = at(base, point.bytes); usual > 0 && point.bytes >= least && point.bytes <= most)
      result.push_back({point.bytes, std::max(point.ns - usual, kLeastNs)});
  return result;
}

double residual(std::span<const SizeTime> points, const Line& line) {
  double most = 0;
  for (const SizeTime& point : points)
    most = std::max(most, std::abs(line.constant + line.slope * point.bytes - point.ns) / point.ns);
  return most;
}

/// A fit of steps with moves: costs of the step itself, of each object and of each byte, and the largest
/// relative error.
struct MovesFit {
  std::vector<double> costs;
  double residual = 0;
};
MovesFit fit_moves(const std::vector<std::vector<double>>& amounts, std::span<const double> times_ns) {
  MovesFit fit{lb::fit_relative(amounts, times_ns)};
  for (std::size_t i = 0; i < times_ns.size(); ++i) {
    double ns = 0;
    for (std::size_t k = 0; k < amounts.size(); ++k) ns += fit.costs[k] * amounts[k][i];
    fit.residual = std::max(fit.residual, std::abs(ns / times_ns[i] - 1));
  }
  return fit;
}

class Fitting {
 public:
  explicit Fitting(const Measurements& measured) : measured_(measured) {}

  /// Fits the sender's and the receiver's time to their calls; the rest of a trip is time on the way.
  Level level(const MessageTimes& times, const char* name) {
    const auto eager = static_cast<double>(measured_.eager_bytes);
    Level level;
    const Line send = report(name, "send", fit_line(beyond(times.sends, measured_.pe.sends, 0, eager)));
    const Line receive =
        report(name, "receive", fit_line(beyond(times.receives, measured_.pe.receives, 0, eager)));
    level.send_ns = send.constant;
    level.send_byte_ns = send.slope;
    level.receive_ns = receive.constant;
    level.receive_byte_ns = receive.slope;
    std::vector<SizeTime> left = beyond(times.trips, measured_.pe.trips, 0, eager);
    for (SizeTime& point : left)
      point.ns = std::max(kLeastNs, point.ns + measured_.switch_ns - send.constant - receive.constant -
                                        (send.slope + receive.slope) * point.bytes);
    const Line way = report(name, "on the way", fit_line(left));
    level.latency_ns = way.constant;
    level.byte_ns = way.slope;
    return level;
  }

  /// Returns the time for each byte that a receiver takes to fetch a longer message.
  double fetch_byte_ns(const MessageTimes& times, const Level& level, const char* name) {
    const double known = level.send_ns + level.latency_ns + level.receive_ns - measured_.switch_ns;
    std::vector<SizeTime> bytes =
        beyond(times.trips, measured_.pe.trips, static_cast<double>(measured_.eager_bytes) + 1, 1e18);
    for (SizeTime& point : bytes) point.ns = std::max(kLeastNs, point.ns - known) / point.bytes;
    if (bytes.empty()) return level.receive_byte_ns;
    for (SizeTime& point : bytes) point.bytes = 0;
    return report(name, "fetch, each byte", fit_line(bytes)).constant;
  }

  void steps(std::span<const StepTime> steps, std::uint32_t pes, const char* name, double& byte_ns,
             MoveCosts& moves) {
    if (steps.empty()) return;
    std::vector<SizeTime> rest;
    std::vector<std::vector<double>> amounts(3);
    std::vector<double> moving_ns;
    for (const StepTime& step : steps)
      if (!step.moves) rest.push_back({step.objects, step.ns});
    const Line idle = report(name, "LB step by objects", fit_line(rest));
    const double levels = std::max(1, static_cast<int>(std::bit_width(std::max(pes, 1u) - 1)));
    moves.meeting_ns = idle.constant / levels;
    moves.collect_object_ns = idle.slope;
    // With n objects on P PEs, n / P leave each and as many arrive. A step with moves that took no longer
    // than one without does not tell the costs of moves.
    for (const StepTime& step : steps) {
      const double more = step.moves ? step.ns - rest_of(steps, step, idle) : 0;
      const double ends = 2 * step.objects / pes;
      if (more <= 0) continue;
      amounts[0].push_back(1);
      amounts[1].push_back(ends);
      amounts[2].push_back(ends * step.bytes);
      moving_ns.push_back(more);
    }
    if (moving_ns.empty()) return;
    const MovesFit fit = fit_moves(amounts, moving_ns);
    report(name, "a step that moves", {fit.costs[0], 0, fit.residual});
    report(name, "each that moves", {fit.costs[1], fit.costs[2], fit.residual});
    moves.begin_ns = fit.costs[0];
    moves.object_ns = fit.costs[1];
    byte_ns = fit.costs[2];
  }

  /// Returns how many times as long as on one PE a round takes: the median of the rounds.
  std::vector<double> contention() {
    std::map<std::uint32_t, std::vector<double>> factors;
    double alone = 0;
    for (const ComputingTime& time : measured_.computing) {
      if (time.pes == 1) alone = time.ns;
      if (alone > 0) factors[time.pes].push_back(time.ns / alone);
    }
    std::vector<double> by_pes;
    for (auto& [pes, of_rounds] : factors) {
      const auto middle = of_rounds.begin() + static_cast<std::ptrdiff_t>(of_rounds.size() / 2);
      std::nth_element(of_rounds.begin(), middle, of_rounds.end());
      add_factor(by_pes, pes, std::max(*middle, by_pes.empty() ? 1.0 : by_pes.back()));
    }
    if (by_pes.size() > 1) {
      char text[160];
      snprintf(text, sizeof text, "%-16s %-20s %12.3f times as long as one", "node",
               (std::to_string(by_pes.size()) + " PEs that compute").c_str(), by_pes.back());
      lines.emplace_back(text);
    }
    return by_pes;
  }

  void decisions(Platform& platform) {
    std::map<std::string, std::vector<SizeTime>> by_strategy;
    for (const DecisionTime& decision : measured_.decisions)
      by_strategy[decision.strategy].push_back({decision.elements, decision.ns});
    for (const auto& [strategy, times] : by_strategy) {
      const Line line = report(strategy.c_str(), "decision", fit_line(times));
      platform.decision_ns[strategy] = line.constant;
      platform.decision_element_ns[strategy] = line.slope;
    }
  }

  /// Fits the ratio of m PEs to one, times the time of one PE for as many elements.
  void decisions_together(Platform& platform) {
    std::map<std::string, std::vector<lb::CurveSample>> by_strategy;
    for (const TogetherTime& time : measured_.together) {
      const double alone_ns = alone(time);
      if (alone_ns <= 0 || !platform.decision_ns.contains(time.strategy)) continue;
      const double line_ns =
          platform.decision_ns[time.strategy] + platform.decision_element_ns[time.strategy] * time.elements;
      by_strategy[time.strategy].push_back(
          {{.processes = static_cast<double>(time.deciding), .work = time.elements},
           line_ns * time.ns / alone_ns});
      double& most = platform.together.pes[time.strategy];
      most = std::max(most, static_cast<double>(time.deciding));
    }
    std::vector<lb::Term> terms;
    for (const auto& [term, member] : kTogetherTerms) terms.push_back(term);
    for (const auto& [strategy, samples] : by_strategy)
      decision_together(platform.together, strategy, lb::Curve::fit(samples, terms));
  }

  std::vector<std::string> lines;

 private:
  /// Returns the time of one PE for the same decision; 0 if it was not measured.
  double alone(const TogetherTime& together) const {
    for (const TogetherTime& time : measured_.together)
      if (time.strategy == together.strategy && time.deciding == 1 && time.elements == together.elements)
        return time.ns;
    return 0;
  }

  void decision_together(TogetherCosts& costs, const std::string& strategy, const lb::Curve& curve) {
    set_together_curve(costs, strategy, curve);  // of samples in ns
    char text[256];
    snprintf(text, sizeof text, "%-16s %-20s %s ns, within %.0f %%", strategy.c_str(), "decision together",
             lb::to_string(curve).c_str(), curve.worst_error() * 100);
    lines.emplace_back(text);
  }

  /// Returns the time of the same step without moves, as measured or else as fitted.
  static double rest_of(std::span<const StepTime> steps, const StepTime& moving, const Line& idle) {
    for (const StepTime& step : steps)
      if (!step.moves && step.objects == moving.objects && step.bytes == moving.bytes) return step.ns;
    return idle.constant + idle.slope * moving.objects;
  }

  Line report(const char* name, const char* what, const Line& line) {
    char text[160];
    if (line.slope > 0)
      snprintf(text, sizeof text, "%-16s %-20s %12.1f ns + %.4f ns each, within %.0f %%", name, what,
               line.constant, line.slope, line.residual * 100);
    else
      snprintf(text, sizeof text, "%-16s %-20s %12.4g ns, within %.0f %%", name, what, line.constant,
               line.residual * 100);
    lines.emplace_back(text);
    return line;
  }

  const Measurements& measured_;
};

}  // namespace

Line fit_line(std::span<const SizeTime> points) {
  std::vector<std::vector<double>> columns(2);
  std::vector<double> times_ns;
  for (const SizeTime& point : points) {
    columns[0].push_back(1);
    columns[1].push_back(point.bytes);
    times_ns.push_back(point.ns);
  }
  const std::vector<double> factors = lb::fit_relative(columns, times_ns);
  Line line{factors[0], factors[1], 0};
  line.residual = residual(points, line);
  return line;
}

Calibration calibrate(const Measurements& measured) {
  Fitting fitting(measured);
  Platform platform;
  platform.nodes = measured.nodes;
  platform.pes_per_node = measured.pes_per_node;
  platform.switch_ns = measured.switch_ns;
  if (!measured.node.trips.empty()) {
    platform.node = fitting.level(measured.node, "node");
    platform.node.fetch_byte_ns = fitting.fetch_byte_ns(measured.node, platform.node, "node");
  }
  if (!measured.network.trips.empty()) {
    platform.network = fitting.level(measured.network, "network");
    // Messages that are not eager use the same wires.
    const double known = platform.network.byte_ns;
    const double fetched = fitting.fetch_byte_ns(measured.network, platform.network, "network");
    if (known == 0) platform.network.byte_ns = fetched;
  }
  fitting.steps(measured.node_steps, measured.step_pes, "node", platform.moves.node_byte_ns, platform.moves);
  MoveCosts between = platform.moves;
  fitting.steps(measured.network_steps, measured.nodes, "network", platform.moves.network_byte_ns,
                measured.node_steps.empty() ? platform.moves : between);
  platform.contention = fitting.contention();
  fitting.decisions(platform);
  fitting.decisions_together(platform);
  return {platform, std::move(fitting.lines)};
}

}  // namespace skein::simulate
