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

// Returns the seconds that a configuration takes for a point, in a job whose points all take as long.
using Rate = double (*)(const Configuration& configuration);

// Load drifts apart as fast as it is balanced: with period k a step costs `step` and imbalance grows to drift
// * k, so that a point takes work / PEs * (1 + drift * k / 2) + step / k, least for k = sqrt(2 step PEs /
// (drift work)).
double drifting(const Configuration& c) {
  const double work = 8, drift = 0.01, still = 1.6, step = c.strategy == "greedy" ? 0.4 : 0.1;
  const double pes = c.pes;
  if (c.strategy == "none") return work / pes * still;
  const double k = static_cast<double>(c.period);
  return work / pes * (1 + drift * k / 2) + step / k;
}

// A job that records the seconds of all trials.
struct Job {
  Rate rate;
  double noise = 0;                 // relative noise of samples after the first
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
      outcome.seconds =
          rate(trial.configuration) * job_points * (1 + noise * static_cast<double>(trial.sample));
      if (trial.limit_s > 0 && outcome.seconds > trial.limit_s) {
        outcome.given_up_at = job_points / 3;
        outcome.seconds /= 3;
      }
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
  const Result result = explore_job(job, space, {});
  CHECK(result.complete);
  CHECK(result.given_up == 0);
  CHECK(result.trials == 9);
  REQUIRE(result.fastest);
  // refine: k = sqrt(2 * 0.1 * 8 / (0.01 * 8)) = 4.47: the given period 5 is nearest, with 1.025 + 0.02 s a
  // point.
  CHECK(result.rows[*result.fastest].configuration == Configuration{"refine", 5, 64, 8});
  CHECK(result.rows[*result.fastest].mean_s == doctest::Approx(1.045 * job_points));
  CHECK(std::ranges::is_sorted(result.rows, {}, &Row::mean_s));
}

TEST_CASE("explore: of many the best eight of each number of PEs go to the end, and what may not is slower") {
  Job job{drifting};
  const Space space{{"none", "greedy", "refine"}, up_to(60), {64}, {4, 8, 16}};
  const Result result = explore_job(job, space, {});
  REQUIRE(result.fastest);
  CHECK(result.complete);
  CHECK(result.rows[*result.fastest].configuration == best_of(drifting, space));
  CHECK(result.trials == configurations(space).size());
  CHECK(result.whole + result.given_up == result.trials);
  CHECK(result.given_up > result.trials / 3);
  for (const std::uint32_t pes : space.pes) {
    std::vector<double> rates;
    for (const Configuration& c : configurations(space))
      if (c.pes == pes) rates.push_back(drifting(c));
    std::ranges::sort(rates);
    for (const Row& row : result.rows) {
      const double rate = drifting(row.configuration);
      if (row.configuration.pes != pes) continue;
      if (row.configuration.strategy == "none" || rate <= rates[7] || rate <= rates[0] * 1.03)
        CHECK(row.points == 0);
      CHECK(row.mean_s == doctest::Approx(rate * job_points / (row.points == 0 ? 1 : 3)));
    }
  }
  // Configurations that were given up come last.
  for (std::size_t i = 0; i < result.rows.size(); ++i)
    CHECK((result.rows[i].points == 0) == (i < result.whole));
}

TEST_CASE("explore: nothing is given up where that is not wanted, nor of several samples") {
  const Space space{{"none", "greedy", "refine"}, up_to(60), {64}, {8}};
  for (const Options& options : {Options{.may_give_up = false}, Options{.samples = 2}}) {
    Job job{drifting};
    CHECK(explore_job(job, space, options).given_up == 0);
    CHECK(std::ranges::all_of(job.made, [](const Trial& trial) { return trial.limit_s == 0; }));
  }
}

TEST_CASE("explore: the frontier has no configuration that another beats with as few PEs") {
  Job job{[](const Configuration& c) {
    const std::map<std::uint32_t, double> of_pes = {{2, 6.0}, {4, 3.5}, {8, 3.6}, {16, 2.0}};
    return of_pes.at(c.pes) * (c.strategy == "none" ? 1.5 : 1.0);
  }};
  const Result result = explore_job(job, {{"none", "refine"}, {5}, {64}, {2, 4, 8, 16}}, {});
  std::vector<std::uint32_t> pes;
  for (const std::size_t row : result.frontier) {
    pes.push_back(result.rows[row].configuration.pes);
    CHECK(result.rows[row].configuration.strategy == "refine");
    CHECK(result.rows[row].on_frontier);
  }
  CHECK(pes == std::vector<std::uint32_t>{2, 4, 16});
}

TEST_CASE("explore: what is as fast with less is advised") {
  const Options options{};
  Job even{[](const Configuration& c) { return c.strategy == "none" ? 1.005 : 1.0; }};
  const Result nothing_gained = explore_job(even, {{"none", "refine"}, {5}, {64}, {8}}, options);
  CHECK(nothing_gained.rows[*nothing_gained.fastest].configuration.strategy == "refine");
  CHECK(nothing_gained.rows[*nothing_gained.advised].configuration.strategy == "none");
  Job saturated{[](const Configuration& c) { return c.pes == 4 ? 2.0 : c.pes == 8 ? 1.009 : 1.0; }};
  const Result fewer = explore_job(saturated, {{"none"}, {1}, {64}, {4, 8, 16}}, options);
  CHECK(fewer.rows[*fewer.advised].configuration.pes == 8);
}

TEST_CASE("explore: what cannot be told from the fastest is marked") {
  // Seconds of two samples: the second strategy is 10 % slower in the first sample and as fast in the second.
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

TEST_CASE("explore: stopped, it tells of what was tried, the best first") {
  const Space space{{"none", "greedy", "refine"}, up_to(50), {64}, {8}};
  Job job{drifting, 0, 30};
  const Result result = explore_job(job, space, {});
  CHECK_FALSE(result.complete);
  CHECK(result.trials == 30);
  CHECK(result.whole + result.given_up == 30);
  REQUIRE(result.fastest);
  double least = drifting(job.made[0].configuration);
  for (const Trial& trial : job.made) least = std::min(least, drifting(trial.configuration));
  CHECK(drifting(result.rows[*result.fastest].configuration) == least);
  // The configuration with which all others are compared is among the first.
  CHECK(job.made[0].configuration.strategy == "none");
  Job never{drifting, 0, 0};
  CHECK_FALSE(explore_job(never, space, {}).fastest);
}

TEST_CASE("explore: the parts of work add up") {
  Job job{drifting};
  (void)explore_job(job, {{"none", "greedy", "refine"}, up_to(50), {64}, {4, 8}}, {});
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
