// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/tune.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "lb/kernel/random.hpp"
#include "lb/tune/sureness.hpp"

namespace skein::tune {
namespace {

/// Returns the values without repetitions, in the order given.
template <class Value>
std::vector<Value> each_once(std::span<const Value> values) {
  std::vector<Value> kept;
  for (const Value& value : values)
    if (std::ranges::find(kept, value) == kept.end()) kept.push_back(value);
  return kept;
}

/// Returns true if objects can move. Otherwise `none` on as many PEs is as good, and on more PEs better.
bool can_balance(const lb::Mode& mode, std::uint64_t period, std::uint32_t ranks, std::uint32_t pes) {
  const auto reserved = static_cast<std::uint32_t>(mode.reserved_pes());
  return pes > reserved + 1 && ranks > pes - reserved && !(mode.is_lazy() && period == 0);
}

/// Returns the modes with the numbers of PEs that may decide together: all, or, if deciding PEs do nothing
/// else, a quarter, which leaves the others 4 / 3 of the work.
/// quarter, where each of the others has 4 / 3 of the work.
std::vector<lb::Mode> modes_of(const Space& space, const std::string& strategy, std::uint32_t pes) {
  std::vector<lb::Mode> modes = space.modes;
  const auto found = space.most_deciding.find(strategy);
  const std::uint32_t known = found == space.most_deciding.end() ? 1 : found->second;
  for (lb::Mode mode : space.modes) {
    const std::uint32_t most = std::min(known, mode.reserved ? pes / 4 : pes);
    for (std::uint32_t deciding = 2; mode.deciding_pes > 0 && deciding <= most; deciding *= 2) {
      mode.deciding_pes = static_cast<int>(deciding);
      modes.push_back(mode);
    }
  }
  return each_once<lb::Mode>(modes);
}

bool is_still(const Configuration& configuration) { return configuration.strategy == "none"; }

class Explorer {
 public:
  Explorer(std::span<const Configuration> tried, const Options& options, const Evaluate& evaluate)
      : options_(options), evaluate_(evaluate) {
    for (const Configuration& configuration : tried) result_.rows.push_back({.configuration = configuration});
  }

  Result run() && {
    for (const std::vector<std::size_t>& batch : batches()) {
      try_all(batch);
      if (!result_.complete) break;
    }
    order();
    judge();
    return std::move(result_);
  }

 private:
  /// Returns rows in batches: first the rows that all others are compared with; then the others in an order
  /// in which all kinds come early.
  std::vector<std::vector<std::size_t>> batches() const {
    std::vector<std::size_t> still, others;
    for (std::size_t row = 0; row < result_.rows.size(); ++row)
      (is_still(result_.rows[row].configuration) ? still : others).push_back(row);
    std::size_t count = 1;
    if (options_.may_give_up && options_.samples == 1)
      count = std::clamp<std::size_t>(result_.rows.size() / options_.whole, 1, most_batches);
    if (count > 1) {
      lb::Random random(1);
      for (std::size_t i = others.size(); i > 1; --i)
        std::swap(others[i - 1], others[random.below(static_cast<std::uint32_t>(i))]);
    }
    std::vector<std::vector<std::size_t>> all(count);
    for (std::size_t i = 0; i < others.size(); ++i) all[i * count / others.size()].push_back(others[i]);
    all[0].insert(all[0].begin(), still.begin(), still.end());
    std::erase_if(all, [](const auto& batch) { return batch.empty(); });
    return all;
  }

  void try_all(std::span<const std::size_t> batch) {
    const std::map<std::uint32_t, double> limits = limits_by_pes();
    std::vector<Trial> trials;
    for (const std::size_t row : batch) {
      const Configuration& configuration = result_.rows[row].configuration;
      const auto limit = limits.find(configuration.pes);
      for (std::size_t sample = 0; sample < options_.samples; ++sample)
        trials.push_back({configuration, sample, limit == limits.end() ? 0 : limit->second});
    }
    const double all = static_cast<double>(result_.rows.size());
    const std::vector<Outcome> outcomes =
        evaluate_({trials, static_cast<double>(tried_) / all, static_cast<double>(batch.size()) / all});
    tried_ += batch.size();
    for (std::size_t i = 0; i < batch.size(); ++i)
      note(result_.rows[batch[i]], std::span(outcomes).subspan(i * options_.samples, options_.samples));
  }

  void note(Row& row, std::span<const Outcome> outcomes) {
    std::vector<double> seconds;
    double imbalance = 0, steps = 0, moved = 0;
    std::uint64_t early_steps = 0;
    for (const Outcome& outcome : outcomes) {
      if (!outcome.done) {
        result_.complete = false;
        return;
      }
      ++result_.trials;
      if (!outcome.why_not.empty()) {
        row.why_not = outcome.why_not;
        return;
      }
      row.points = outcome.given_up_at;
      seconds.push_back(outcome.seconds);
      imbalance += outcome.imbalance_percent;
      steps += static_cast<double>(outcome.steps);
      moved += static_cast<double>(outcome.moved);
      early_steps += outcome.early_steps;
    }
    const double samples = static_cast<double>(outcomes.size());
    const Mean mean = mean_of(seconds);
    row.seconds = std::move(seconds);
    row.mean_s = mean.value;
    row.half_width_s = mean.half_width;
    row.imbalance_percent = imbalance / samples;
    row.steps = steps / samples;
    row.moved = moved / samples;
    row.early_steps = early_steps;
    (row.points == 0 ? result_.whole : result_.given_up) += 1;
  }

  /// Returns, by the number of PEs, the time above which a row is not among the best, and clearly slower than
  /// the fastest.
  std::map<std::uint32_t, double> limits_by_pes() const {
    std::map<std::uint32_t, std::vector<double>> times;
    for (const Row& row : result_.rows)
      if (has_times(row) && row.points == 0) times[row.configuration.pes].push_back(row.mean_s);
    std::map<std::uint32_t, double> limits;
    for (auto& [pes, of_pes] : times) {
      if (of_pes.size() < options_.best) continue;
      std::ranges::sort(of_pes);
      limits[pes] = std::max(of_pes[options_.best - 1], of_pes[0] * (1 + options_.margin));
    }
    return limits;
  }

  void order() {
    const auto place = [](const Row& row) {
      const int kind = !row.why_not.empty() ? 2 : row.seconds.empty() ? 3 : row.points == 0 ? 0 : 1;
      // Among equals, configurations in which all PEs decide come first.
      const bool some_decide = row.configuration.mode != Configuration().mode;
      return std::tuple(kind, row.points == 0 ? row.mean_s : 0, some_decide, row.configuration);
    };
    std::ranges::sort(result_.rows, {}, place);
  }

  /// Judges the rows that were played to the end, which come first.
  void judge() {
    const std::span<Row> rows = std::span(result_.rows).first(result_.whole);
    if (rows.empty()) return;
    const Row& fastest = rows.front();
    result_.fastest = 0;
    result_.advised = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Row& row = rows[i];
      row.as_good = row.mean_s <= fastest.mean_s * (1 + options_.margin) ||
                    (options_.samples > 1 && can_be_equal(fastest.seconds, row.seconds));
      if (row.mean_s <= fastest.mean_s * (1 + options_.indifference) && simpler(i, *result_.advised))
        result_.advised = i;
    }
    std::vector<std::size_t> by_pes(rows.size());
    std::iota(by_pes.begin(), by_pes.end(), std::size_t{0});
    std::ranges::stable_sort(
        by_pes, {}, [&](std::size_t i) { return std::pair(rows[i].configuration.pes, rows[i].mean_s); });
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t i : by_pes) {
      if (rows[i].mean_s >= least) continue;
      least = rows[i].mean_s;
      rows[i].on_frontier = true;
      result_.frontier.push_back(i);
    }
  }

  static bool has_times(const Row& row) { return row.why_not.empty() && !row.seconds.empty(); }

  /// Returns true if `a` has fewer PEs than `b`, or as many and nothing to balance.
  bool simpler(std::size_t a, std::size_t b) const {
    const Configuration& one = result_.rows[a].configuration;
    const Configuration& other = result_.rows[b].configuration;
    return std::pair(one.pes, !is_still(one)) < std::pair(other.pes, !is_still(other));
  }

  static constexpr std::size_t most_batches = 4;

  const Options& options_;
  const Evaluate& evaluate_;
  Result result_;
  std::size_t tried_ = 0;  // rows
};

}  // namespace

std::vector<Configuration> configurations(const Space& space) {
  std::vector<Configuration> balanced, plain;
  for (const std::uint32_t pes : each_once<std::uint32_t>(space.pes))
    for (const std::uint32_t ranks : each_once<std::uint32_t>(space.ranks)) {
      if (ranks < pes) continue;
      for (const std::string& strategy : each_once<std::string>(space.strategies)) {
        if (strategy == "none" || pes == 1 || ranks == pes) {
          const Configuration still{"none", 1, ranks, pes};
          if (std::ranges::find(plain, still) == plain.end()) plain.push_back(still);
        }
        if (strategy == "none") continue;
        for (const std::uint64_t period : each_once<std::uint64_t>(space.periods))
          for (const lb::Mode& mode : modes_of(space, strategy, pes))
            if (can_balance(mode, period, ranks, pes))
              balanced.push_back({strategy, period, ranks, pes, lb::to_string(mode)});
      }
    }
  if (plain.empty() && balanced.empty())
    throw TuneError(
        "nothing can be tried: each number of ranks is smaller than each number of PEs, or one of "
        "strategies, periods, ranks and PEs is empty; --pes chooses fewer PEs");
  plain.insert(plain.end(), balanced.begin(), balanced.end());
  return plain;
}

Result explore(std::span<const Configuration> tried, const Options& options, const Evaluate& evaluate) {
  return Explorer(tried, options, evaluate).run();
}

}  // namespace skein::tune
