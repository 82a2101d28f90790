// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/calibrate/measuring_jobs.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "runtime/base/clock.hpp"
#include "skein/lb/generate.hpp"
#include "skein/lb/planner.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::tools {
namespace {

/// A strategy that takes longer is tried only once.
constexpr double kEnoughSeconds = 0.1;
constexpr std::size_t kMostTries = 9;
/// Bytes, more than a core's caches hold.
constexpr std::size_t kCacheBytes = 8 << 20;
constexpr std::size_t kCacheLine = 64;

/// Fills the caches with other data: between steps a program takes them, so a decision finds none of its own.
class Caches {
 public:
  void fill() {
    for (std::size_t at = 0; at < memory_.size(); at += kCacheLine) ++memory_[at];
  }

 private:
  std::vector<char> memory_ = std::vector<char>(kCacheBytes, 1);
};

/// Returns the median of several times but the first, which loads code and memory.
double typical(std::vector<double> times) {
  if (times.size() > 1) times.erase(times.begin());
  std::ranges::sort(times);
  return (times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2;
}

class Timing {
 public:
  explicit Timing(lb::Snapshot with_graph) : with_graph_(std::move(with_graph)), without_(with_graph_) {
    without_.graph = {};
  }

  /// Times a strategy. Returns nothing if it needs a key, or data that a mesh lacks.
  std::optional<simulate::DecisionTime> of(const lb::StrategyInfo& info) {
    try {
      const lb::Selection strategy = lb::with_defaults(info);
      // Like a run, which keeps no graph for strategies that do not use it.
      const lb::Snapshot& snapshot = strategy.uses_graph() ? with_graph_ : without_;
      return simulate::DecisionTime{std::string(info.name), elements_of(snapshot),
                                    time([&] { strategy.assign(snapshot, 1); })};
    } catch (const std::exception&) {
      return std::nullopt;
    }
  }

  /// Times `auto` without the strategies that it tries, which have times of their own.
  simulate::DecisionTime of_auto() {
    lb::PlannerConfig config;
    config.automatic = lb::AutoOptions{};
    config.period = {.automatic = true};
    lb::Planner planner(std::move(config), {.object_s = 1e-5, .remote_message_s = 1e-6}, false,
                        {.clock = seconds});
    std::uint64_t steps = 0;
    const lb::Interval interval = level_interval();
    double tried_s = 0;
    const double ns = time([&] {
      lb::Interval now = interval;
      now.index = steps++;
      planner.take(with_graph_, now);
      const lb::StepPlan plan = planner.plan(now);
      planner.learn(plan, now, {.meeting_s = 1e-5, .thinking_s = 1e-5});
      const auto& trials = planner.trials();
      tried_s = std::accumulate(trials.begin(), trials.end(), 0.0,
                                [](double sum, const lb::Trial& trial) { return sum + trial.decision_s; });
      planner.forget();
      return tried_s;
    });
    return {"auto", elements_of(with_graph_), ns};
  }

 private:
  static double elements_of(const lb::Snapshot& snapshot) {
    return static_cast<double>(snapshot.object_count() + snapshot.pe_count() + snapshot.graph.edge_count());
  }

  /// Returns the time of `decide`, ns. If it returns a value, these are seconds that do not count.
  template <class F>
  double time(F decide) {
    std::vector<double> times;
    double spent = 0;
    while (times.size() < kMostTries && spent < kEnoughSeconds) {
      caches_.fill();
      const double start = seconds();
      double aside = 0;
      if constexpr (std::is_void_v<decltype(decide())>)
        decide();
      else
        aside = decide();
      const double took = seconds() - start;
      times.push_back(took - aside);
      spent += took;
    }
    return std::max(1.0, typical(std::move(times)) * 1e9);
  }

  lb::Interval level_interval() const {
    const auto pes = static_cast<int>(with_graph_.pe_count());
    lb::IntervalShare share(0, pes);
    const lb::Objects& objects = with_graph_.objects;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const auto pe = static_cast<int>(objects.pe[i]);
      share.add_object_on(pe, objects.load[i], pe, pe);
      share.add_load(objects.load[i], lb::IntervalShare::LoadIs::time);
    }
    share.set_time(1, 1);
    return {0, 1, share.numbers()};
  }

  Caches caches_;
  lb::Snapshot with_graph_, without_;
};

}  // namespace

std::vector<simulate::DecisionTime> time_decisions() {
  std::vector<simulate::DecisionTime> result;
  const lb::Generator mesh = lb::parse_generator("mesh2d");
  for (const auto& [objects, pes] : {std::pair<std::size_t, std::size_t>(16, 2), {256, 16}, {2048, 128}}) {
    Timing timing(mesh.generate({objects, pes, std::max<std::size_t>(1, pes / 4), 1}));
    for (const lb::StrategyInfo& info : lb::strategies()) {
      if (!lb::why_unavailable(info).empty()) continue;
      if (const auto time = timing.of(info)) result.push_back(*time);
    }
    result.push_back(timing.of_auto());
  }
  return result;
}

}  // namespace skein::tools
