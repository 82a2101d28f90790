// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "skein/lb/tune.hpp"

using namespace skein::tune;

namespace {

constexpr std::uint64_t job_points = 900;

// A job whose points all take as long: what a configuration takes for one of them, in seconds.
using Rate = double (*)(const Configuration& configuration);

// Load that drifts apart as fast as it is balanced: with period k a step costs `step` and imbalance grows to
// drift * k, so that a point takes work / PEs * (1 + drift * k / 2) + step / k, least for k = sqrt(2 step PEs
// / (drift work)).
double drifting(const Configuration& c) {
  const double work = 8, drift = 0.01, still = 1.6, step = c.strategy == "greedy" ? 0.4 : 0.1;
  const double pes = c.pes;
  if (c.strategy == "none") return work / pes * still;
  const double k = static_cast<double>(c.period);
  return work / pes * (1 + drift * k / 2) + step / k;
}

// Seconds of all trials, noted.
struct Job {
  Rate rate;
  double noise = 0;                 // of samples after the first, relatively
  std::size_t give_up = 1'000'000;  // after so many trials
  std::vector<Trial> made = {};
  std::vector<std::pair<double, double>> shares = {};

  std::vector<Outcome> operator()(const Batch& batch) {
    shares.emplace_back(batch.before, batch.share);
    std::vector<Outcome> outcomes;
    for (const Trial& trial : batch.trials) {
      Outcome outcome;
      outcome.done = made.size() < give_up;
      if (outcome.done) made.push_back(trial);
      const double points = static_cast<double>(trial.points ? trial.points : job_points);
      outcome.seconds = rate(trial.configuration) * points * (1 + noise * static_cast<double>(trial.sample));
      outcome.early_steps = trial.configuration.strategy == "refine";
      outcomes.push_back(outcome);
    }
    return outcomes;
  }
};

Result explore_job(Job& job, const Space& space, const Options& options) {
  const std::vector<Configuration> all = configurations(space);
  return explore(all, options, [&](const Batch& batch) { return job(batch); });
}

Configuration best_of(Rate rate, const Space& space) {
  const std::vector<Configuration> all = configurations(space);
  return *std::ranges::min_element(all, {}, rate);
}

std::vector<std::uint64_t> up_to(std::uint64_t last) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 1; i <= last; ++i) values.push_back(i);
  return values;
}

}  // namespace

TEST_CASE("explore: few configurations all go the whole way, and the formula's best is found") {
  Job job{drifting};
  const Space space{{"none", "greedy", "refine"}, {1, 5, 10, 20}, {64}, {8}};
  const Result result = explore_job(job, space, {.points = job_points});
  CHECK(result.complete);
  CHECK(result.rungs.size() == 1);
  CHECK(result.trials == 9);
  REQUIRE(result.fastest);
  // refine: k = sqrt(2 * 0.1 * 8 / (0.01 * 8)) = 4.47: of those given 5, with 1.025 + 0.02 s a point.
  CHECK(result.rows[*result.fastest].configuration == Configuration{"refine", 5, 64, 8});
  CHECK(result.rows[*result.fastest].mean_s == doctest::Approx(1.045 * job_points));
  CHECK(std::ranges::is_sorted(result.rows, {}, &Row::mean_s));
}

TEST_CASE("explore: halving finds the same best with less work") {
  // Each strategy is a tenth slower than the one before.
  const Rate rate = [](const Configuration& c) {
    return c.strategy == "none" ? drifting(c) : drifting(c) * (1 + 0.1 * (c.strategy[0] - 'a'));
  };
  Job job{rate};
  const Space space{{"none", "d", "a", "c", "b", "e"}, {1, 2, 3, 5, 7, 10, 15, 20}, {64}, {4, 8}};
  const Options options{.points = job_points};
  const Result result = explore_job(job, space, options);
  REQUIRE(result.fastest);
  CHECK(result.rows[*result.fastest].configuration == best_of(rate, space));
  CHECK(result.rungs.size() > 1);
  double work = 0;
  for (const Trial& trial : job.made)
    work += static_cast<double>(trial.points ? trial.points : job_points) / job_points;
  CHECK(work < 0.5 * static_cast<double>(result.rows.size()));
  CHECK(result.rows.size() == configurations(space).size());
}

TEST_CASE(
    "explore: a beginning drops only what it can judge, what is slower, and never all of a number of PEs") {
  Job job{drifting};
  const Space space{{"none", "greedy", "refine"}, up_to(60), {64}, {4, 8, 16}};
  const Options options{.points = job_points};
  const Result result = explore_job(job, space, options);
  std::map<std::uint64_t, std::vector<const Row*>> dropped;
  for (const Row& row : result.rows)
    if (row.points != 0) dropped[row.points].push_back(&row);
  CHECK_FALSE(dropped.empty());
  std::map<std::uint64_t, std::set<Configuration>> tried;  // by points
  for (const Trial& trial : job.made) tried[trial.points].insert(trial.configuration);
  for (const auto& [points, rows] : dropped)
    for (const Row* row : rows) {
      CHECK(row->configuration.strategy != "none");
      CHECK(row->configuration.period * options.intervals <= points);
      // Among those of the same PEs that this beginning judged, at least one in three is better by the
      // margin.
      std::size_t judged = 0, better = 0, much_better = 0;
      for (const Configuration& other : tried[points]) {
        if (other.pes != row->configuration.pes || other.period * options.intervals > points) continue;
        ++judged;
        better += drifting(other) < drifting(row->configuration);
        much_better += drifting(other) * (1 + options.kept) < drifting(row->configuration);
      }
      CHECK((2 * better >= judged || much_better * options.keep_one_in >= judged));
    }
  for (const std::uint32_t pes : space.pes)
    CHECK(std::ranges::any_of(result.rows, [&](const Row& row) {
      return row.points == 0 && row.configuration.pes == pes && row.configuration.strategy == "refine";
    }));
}

TEST_CASE("explore: the frontier has no configuration that another beats with as few PEs") {
  Job job{[](const Configuration& c) {
    const std::map<std::uint32_t, double> of_pes = {{2, 6.0}, {4, 3.5}, {8, 3.6}, {16, 2.0}};
    return of_pes.at(c.pes) * (c.strategy == "none" ? 1.5 : 1.0);
  }};
  const Result result = explore_job(job, {{"none", "refine"}, {5}, {64}, {2, 4, 8, 16}}, {.points = 0});
  std::vector<std::uint32_t> pes;
  for (const std::size_t row : result.frontier) {
    pes.push_back(result.rows[row].configuration.pes);
    CHECK(result.rows[row].configuration.strategy == "refine");
    CHECK(result.rows[row].on_frontier);
  }
  CHECK(pes == std::vector<std::uint32_t>{2, 4, 16});
}

TEST_CASE("explore: what is as fast with less is advised") {
  const Options options{.points = 0};
  Job even{[](const Configuration& c) { return c.strategy == "none" ? 1.005 : 1.0; }};
  const Result nothing_gained = explore_job(even, {{"none", "refine"}, {5}, {64}, {8}}, options);
  CHECK(nothing_gained.rows[*nothing_gained.fastest].configuration.strategy == "refine");
  CHECK(nothing_gained.rows[*nothing_gained.advised].configuration.strategy == "none");
  Job saturated{[](const Configuration& c) { return c.pes == 4 ? 2.0 : c.pes == 8 ? 1.009 : 1.0; }};
  const Result fewer = explore_job(saturated, {{"none"}, {1}, {64}, {4, 8, 16}}, options);
  CHECK(fewer.rows[*fewer.advised].configuration.pes == 8);
}

TEST_CASE("explore: what cannot be told from the fastest is marked") {
  // By seconds of two samples: the second strategy is 10 % slower in the first sample and as fast in the
  // second.
  const std::vector<Configuration> tried = configurations({{"a", "b", "c"}, {5}, {64}, {8}});
  const std::map<std::string, std::vector<double>> seconds = {
      {"a", {10, 10.1}}, {"b", {11, 10.1}}, {"c", {12, 12.1}}};
  const Result result = explore(tried, {.samples = 2}, [&](const Batch& batch) {
    std::vector<Outcome> outcomes;
    for (const Trial& trial : batch.trials)
      outcomes.push_back({.done = true, .seconds = seconds.at(trial.configuration.strategy)[trial.sample]});
    return outcomes;
  });
  REQUIRE(result.rows.size() == 3);
  CHECK(result.rows[0].configuration.strategy == "a");
  CHECK(result.rows[1].as_good);
  CHECK_FALSE(result.rows[2].as_good);
  CHECK(result.rows[0].half_width_s == doctest::Approx(12.706 * 0.0707107 / 1.4142136).epsilon(1e-4));
}

TEST_CASE("explore: what cannot be simulated comes last, with its reason") {
  const std::vector<Configuration> tried = configurations({{"none", "rcb", "refine"}, {5}, {64}, {8}});
  const Result result = explore(tried, {}, [&](const Batch& batch) {
    std::vector<Outcome> outcomes;
    for (const Trial& trial : batch.trials)
      outcomes.push_back({.done = true,
                          .seconds = 1,
                          .why_not = trial.configuration.strategy == "rcb" ? "no positions" : ""});
    return outcomes;
  });
  CHECK(result.complete);
  CHECK(result.rows.back().configuration.strategy == "rcb");
  CHECK(result.rows.back().why_not == "no positions");
  CHECK_FALSE(result.rows.back().on_frontier);
}

TEST_CASE("explore: given up, it tells of what got farthest, the best first") {
  const Space space{{"none", "greedy", "refine"}, up_to(50), {64}, {8}};
  Job whole{drifting};
  (void)explore_job(whole, space, {.points = job_points});
  // In the middle of the whole jobs.
  const auto first_whole = std::ranges::find(whole.made, std::uint64_t{0}, &Trial::points);
  const std::size_t before = static_cast<std::size_t>(first_whole - whole.made.begin());
  Job job{drifting, 0, before + 2};
  const Result result = explore_job(job, space, {.points = job_points});
  CHECK_FALSE(result.complete);
  REQUIRE(result.fastest);
  CHECK(result.rows[*result.fastest].points == 0);
  CHECK(result.rows[*result.fastest].configuration == best_of(drifting, space));
  CHECK(result.trials == before + 2);
  // In the middle of the first beginnings.
  Job early{drifting, 0, 5};
  const Result begun = explore_job(early, space, {.points = job_points});
  CHECK_FALSE(begun.complete);
  CHECK(begun.rows[*begun.fastest].points > 0);
  CHECK(begun.rungs.size() == 1);
  Job never{drifting, 0, 0};
  CHECK_FALSE(explore_job(never, space, {.points = job_points}).fastest);
}

TEST_CASE("explore: the parts of work add up") {
  Job job{drifting};
  (void)explore_job(job, {{"none", "greedy", "refine"}, up_to(50), {64}, {4, 8}}, {.points = job_points});
  double before = 0;
  for (const auto& [told, share] : job.shares) {
    CHECK(told == doctest::Approx(before));
    before += share;
  }
  CHECK(before == doctest::Approx(1));
}

TEST_CASE("explore: several samples are all tried, and the mean decides") {
  Job job{drifting, 0.1};
  const Result result = explore_job(job, {{"none", "refine"}, {5, 50}, {64}, {8}}, {.samples = 3});
  CHECK(job.made.size() == 9);
  for (const Row& row : result.rows)
    CHECK(row.early_steps == (row.configuration.strategy == "refine" ? 3 : 0));
  // Samples take 1, 1.1 and 1.2 times as long.
  CHECK(result.rows[0].mean_s == doctest::Approx(1.1 * 1.045 * job_points));
}
