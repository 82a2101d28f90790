// SPDX-License-Identifier: Apache-2.0
#include "bench/lbscenarios/tally.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace lbscenarios {
namespace {

double loss(double total, double best) { return 100 * (total / best - 1); }

}  // namespace

void Tally::add(const Outcome& outcome, const std::vector<Played>& played) {
  double best = played[0].total_s[outcome.horizon];
  for (const Played& one : played) best = std::min(best, one.total_s[outcome.horizon]);
  for (const Played& one : played) {
    const double total = one.total_s[outcome.horizon];
    fixed_[one.name] += loss(total, best);
    if (one.name == outcome.picked && total == best) ++right_;
  }
  auto_sum_ += loss(outcome.auto_s, best);
  auto_worst_ = std::max(auto_worst_, loss(outcome.auto_s, best));
  ++cases_;
}

std::vector<Tally::Target> Tally::targets() const {
  const double n = static_cast<double>(std::max<std::size_t>(cases_, 1));
  double single = 1e300;
  for (const auto& [name, sum] : fixed_) single = std::min(single, sum / n);
  const double right = 100 * static_cast<double>(right_) / n, mean = auto_sum_ / n;
  return {{"cases, at least", static_cast<double>(cases_), 300, cases_ >= 300},
          {"picked the least, % of cases, at least", right, 96, right >= 96},
          {"mean loss, %, at most", mean, 1, mean <= 1},
          {"worst loss, %, at most", auto_worst_, 6, auto_worst_ <= 6},
          {"better than the best single one, points", single - mean, 1, single - mean >= 1}};
}

bool Tally::met() const { return std::ranges::all_of(targets(), &Target::met); }

void Tally::print(const char* set) const {
  std::printf("\n%s cases: always the same choice, mean loss against the best one\n", set);
  for (const auto& [name, sum] : fixed_)
    std::printf("  %-18s %8.2f %%\n", name.c_str(), sum / static_cast<double>(cases_));
  std::printf("%-44s %9s %9s\n", "auto", "is", "target");
  for (const Target& target : targets())
    std::printf("%-44s %9.2f %9.2f%s\n", target.what, target.is, target.target, target.met ? "" : "  MISSED");
}

nlohmann::ordered_json Tally::json() const {
  nlohmann::ordered_json result;
  for (const auto& [name, sum] : fixed_)
    result["always_mean_loss_percent"][name] = sum / static_cast<double>(cases_);
  for (const Target& target : targets())
    result["targets"].push_back(
        {{"what", target.what}, {"is", target.is}, {"target", target.target}, {"met", target.met}});
  return result;
}

}  // namespace lbscenarios
