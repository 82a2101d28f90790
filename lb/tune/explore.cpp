// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "lb/tune/sureness.hpp"
#include "skein/lb/tune.hpp"

namespace skein::tune {
namespace {

constexpr std::uint64_t least_points = 10;  // of a beginning

bool is_still(const Configuration& configuration) { return configuration.strategy == "none"; }

// Ascending, 0 (the whole) last.
std::vector<std::uint64_t> beginnings(std::size_t configurations, const Options& options) {
  std::vector<std::uint64_t> points;
  if (configurations <= options.whole) return {0};
  std::size_t left = configurations;
  std::uint64_t shorter = options.points;
  // Until the whole is tried with few only.
  while (left * options.keep_one_in > options.whole && shorter / options.keep_one_in >= least_points) {
    left /= options.keep_one_in;
    shorter /= options.keep_one_in;
    points.insert(points.begin(), shorter);
  }
  points.push_back(0);
  return points;
}

class Explorer {
 public:
  Explorer(std::span<const Configuration> tried, const Options& options, const Evaluate& evaluate)
      : options_(options), evaluate_(evaluate) {
    for (const Configuration& configuration : tried) result_.rows.push_back({.configuration = configuration});
    alive_.resize(tried.size());
    std::iota(alive_.begin(), alive_.end(), std::size_t{0});
  }

  Result run() && {
    const std::vector<std::uint64_t> rungs = beginnings(alive_.size(), options_);
    plan_work(rungs);
    for (const std::uint64_t points : rungs) {
      climb(points);
      if (!result_.complete || alive_.empty()) break;
    }
    order();
    judge();
    return std::move(result_);
  }

 private:
  double part_of(std::uint64_t points) const {
    return points == 0 ? 1 : static_cast<double>(points) / static_cast<double>(options_.points);
  }

  void plan_work(std::span<const std::uint64_t> rungs) {
    double left = static_cast<double>(alive_.size());
    for (const std::uint64_t points : rungs) {
      work_.push_back(left * part_of(points));
      left /= static_cast<double>(options_.keep_one_in);
    }
    const double all = std::accumulate(work_.begin(), work_.end(), 0.0);
    for (double& share : work_) share /= all;
  }

  // Tries all that are left on that beginning, and keeps the better ones.
  void climb(std::uint64_t points) {
    std::vector<Trial> trials;
    for (const std::size_t row : alive_)
      for (std::size_t sample = 0; sample < options_.samples; ++sample)
        trials.push_back({result_.rows[row].configuration, sample, points});
    const std::size_t rung = result_.rungs.size();
    const std::vector<Outcome> outcomes = evaluate_(
        {trials, std::accumulate(work_.begin(), work_.begin() + static_cast<std::ptrdiff_t>(rung), 0.0),
         work_[rung]});
    std::vector<std::size_t> through;
    for (std::size_t i = 0; i < alive_.size(); ++i)
      if (note(result_.rows[alive_[i]], points,
               std::span(outcomes).subspan(i * options_.samples, options_.samples)))
        through.push_back(alive_[i]);
    const std::size_t tried = alive_.size();
    alive_ = points == 0 || !result_.complete ? through : kept_of(through, points);
    result_.rungs.push_back({points, tried, alive_.size()});
  }

  // Whether the row goes on: all of its trials were made and gave times.
  bool note(Row& row, std::uint64_t points, std::span<const Outcome> outcomes) {
    std::vector<double> seconds;
    double imbalance = 0, steps = 0, moved = 0;
    std::uint64_t early_steps = 0;
    for (const Outcome& outcome : outcomes) {
      if (!outcome.done) {
        result_.complete = false;
        return false;
      }
      ++result_.trials;
      if (!outcome.why_not.empty()) {
        row.why_not = outcome.why_not;
        return false;
      }
      seconds.push_back(outcome.seconds);
      imbalance += outcome.imbalance_percent;
      steps += static_cast<double>(outcome.steps);
      moved += static_cast<double>(outcome.moved);
      early_steps += outcome.early_steps;
    }
    const double samples = static_cast<double>(outcomes.size());
    const Mean mean = mean_of(seconds);
    row.points = points;
    row.seconds = std::move(seconds);
    row.mean_s = mean.value;
    row.half_width_s = mean.half_width;
    row.imbalance_percent = imbalance / samples;
    row.steps = steps / samples;
    row.moved = moved / samples;
    row.early_steps = early_steps;
    return true;
  }

  bool can_judge(const Configuration& configuration, std::uint64_t points) const {
    return is_still(configuration) || configuration.period == 0 ||
           configuration.period * options_.intervals <= points;
  }

  // By time, so that what is given up later has tried the best.
  std::vector<std::size_t> kept_of(const std::vector<std::size_t>& through, std::uint64_t points) const {
    std::map<std::uint32_t, std::vector<double>> times;  // by PEs
    for (const std::size_t row : through)
      if (can_judge(result_.rows[row].configuration, points))
        times[result_.rows[row].configuration.pes].push_back(result_.rows[row].mean_s);
    std::map<std::uint32_t, double> limits;
    for (auto& [pes, of_pes] : times) {
      std::ranges::sort(of_pes);
      const std::size_t quota = (of_pes.size() + options_.keep_one_in - 1) / options_.keep_one_in;
      limits[pes] = std::min(of_pes[quota - 1] * (1 + options_.kept), of_pes[(of_pes.size() - 1) / 2]);
    }
    std::vector<std::size_t> kept;
    for (const std::size_t row : through) {
      const Row& each = result_.rows[row];
      if (!can_judge(each.configuration, points) || each.mean_s <= limits[each.configuration.pes] ||
          is_still(each.configuration))  // what all others are compared with
        kept.push_back(row);
    }
    std::ranges::stable_sort(kept, {}, [&](std::size_t row) { return result_.rows[row].mean_s; });
    return kept;
  }

  void order() {
    const auto place = [](const Row& row) {
      const int kind = !row.why_not.empty() ? 2 : row.seconds.empty() ? 3 : row.points == 0 ? 0 : 1;
      return std::tuple(kind, ~row.points, row.mean_s, row.configuration);
    };
    std::ranges::sort(result_.rows, {}, place);
  }

  void judge() {
    // They come first. If it was given up before the whole was tried, what got farthest.
    std::vector<std::size_t> farthest;
    for (std::size_t i = 0; i < result_.rows.size(); ++i)
      if (has_times(result_.rows[i]) && result_.rows[i].points == result_.rows[0].points)
        farthest.push_back(i);
    if (farthest.empty()) return;
    const Row& fastest = result_.rows[farthest.front()];
    result_.fastest = farthest.front();
    result_.advised = farthest.front();
    for (const std::size_t i : farthest) {
      Row& row = result_.rows[i];
      row.as_good = row.mean_s <= fastest.mean_s * (1 + options_.margin) ||
                    (options_.samples > 1 && can_be_equal(fastest.seconds, row.seconds));
      if (row.mean_s <= fastest.mean_s * (1 + options_.indifference) && simpler(i, *result_.advised))
        result_.advised = i;
    }
    std::ranges::stable_sort(farthest, {}, [&](std::size_t i) {
      return std::pair(result_.rows[i].configuration.pes, result_.rows[i].mean_s);
    });
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t i : farthest) {
      Row& row = result_.rows[i];
      if (row.mean_s >= least) continue;
      least = row.mean_s;
      row.on_frontier = true;
      result_.frontier.push_back(i);
    }
  }

  static bool has_times(const Row& row) { return row.why_not.empty() && !row.seconds.empty(); }

  // Fewer PEs, or as many and nothing to balance.
  bool simpler(std::size_t a, std::size_t b) const {
    const Configuration& one = result_.rows[a].configuration;
    const Configuration& other = result_.rows[b].configuration;
    return std::pair(one.pes, !is_still(one)) < std::pair(other.pes, !is_still(other));
  }

  const Options& options_;
  const Evaluate& evaluate_;
  Result result_;
  std::vector<std::size_t> alive_;  // rows
  std::vector<double> work_;        // of each rung
};

}  // namespace

Result explore(std::span<const Configuration> tried, const Options& options, const Evaluate& evaluate) {
  return Explorer(tried, options, evaluate).run();
}

}  // namespace skein::tune
