// SPDX-License-Identifier: Apache-2.0
// Compares rules for when to balance: the present rule (--lb-period auto, skein/lb/period.hpp), and a trigger
// that looks at each point, on the made-up loads of patterns.hpp, each with the same strategies. Boulmier,
// Abdennadher, Chopard (arXiv 2104.01688): with u the excess of a point, its fullest PE less the mean, t the
// points since the last step, U the sum of their u, a step is made when t u - U >= C, its mean cost.
//
// usage: autojudge_trigger [--held-out] [--seeds N] [--only TEXT]
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "bench/autojudge/cases.hpp"
#include "bench/autojudge/patterns.hpp"

namespace autojudge {
namespace {

using skein::simulate::Platform;
using skein::simulate::Policy;

/// The estimate of u of the present point.
enum class Excess : std::uint8_t { last, least_of_3, median_of_3 };

class Trigger {
 public:
  Trigger(Excess excess, bool discounted, bool late)
      : excess_(excess), discounted_(discounted), late_(late) {}

  /// Returns true if a step is made after a point of this excess. The first point has one, as with the
  /// present rule.
  bool operator()(double u) {
    all_.push_back(u);
    ++points_;
    if (costs_ == 0) return true;
    const std::size_t known = all_.size() - (late_ ? 1 : 0);
    if (points_ < 2 + (late_ ? 1 : 0)) return false;
    const double sum = std::accumulate(all_.end() - points_, all_.end() - late_, 0.0);
    const double t = static_cast<double>(points_ - late_);
    const double part = discounted_ && promised_ > 0 ? std::clamp(came_ / promised_, 0.05, 1.0) : 1;
    return part * (t * now(known) - sum) >= costs_ / steps_;
  }
  void stepped(double cost) {
    // The part of the last step's promise that came true: its excess, less the excess afterwards.
    if (points_ > 0 && steps_ > 0 && discounted_) {
      const double mean =
          std::accumulate(all_.end() - points_, all_.end(), 0.0) / static_cast<double>(points_);
      promised_ = 0.9 * promised_ + before_;
      came_ = 0.9 * came_ + std::max(0.0, before_ - mean);
    }
    before_ = now(all_.size());
    costs_ += cost;
    ++steps_;
    points_ = 0;
  }

 private:
  double now(std::size_t known) const {
    const std::size_t first = known - std::min<std::size_t>(known, 3);
    std::vector<double> u(all_.begin() + static_cast<long>(first), all_.begin() + static_cast<long>(known));
    const double last = u.back();
    std::ranges::sort(u);
    if (excess_ == Excess::last) return last;
    return excess_ == Excess::least_of_3 ? u.front() : u[u.size() / 2];
  }

  Excess excess_;
  bool discounted_;
  long late_;
  std::vector<double> all_;
  long points_ = 0;
  double costs_ = 0, steps_ = 0, promised_ = 0, came_ = 0, before_ = 0;
};

struct Regrets {
  std::vector<double> optimum, none;
  std::size_t steps = 0;
  void print(const char* name) const {
    const auto mean = [](const std::vector<double>& v) {
      return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
    };
    std::printf("%-42s %5zu %8.2f %8.2f %8.2f %8.2f %9.1f\n", name, optimum.size(), mean(optimum),
                std::ranges::max(optimum), mean(none), std::ranges::max(none),
                static_cast<double>(steps) / static_cast<double>(optimum.size()));
  }
};

void judge(bool held_out, std::uint64_t seeds, const std::string& only) {
  std::map<std::string, Regrets> rules;
  std::map<std::string, std::map<std::string, Regrets>> by_loads;
  for (const Case& one : cases_of(held_out, seeds)) {
    if (one.name().find(only) == std::string::npos) continue;
    const Platform platform = one_node(one.job.pes);
    const double none_s = play(one.job, platform, {}).seconds;
    const double best_s = optimum(one.job, platform).seconds;
    for (const char* const strategy : {"greedy-refine", "refine"}) {
      Policy policy;
      policy.strategy = strategy;
      const auto add = [&](const std::string& rule, const Played& played) {
        for (Regrets* const to : {&rules[rule + ", " + strategy], &by_loads[one.loads][rule]}) {
          to->optimum.push_back(100 * (played.seconds / best_s - 1));
          to->none.push_back(100 * (played.seconds / none_s - 1));
          to->steps += played.steps;
        }
      };
      policy.period = 0;
      add("today's rule", play(one.job, platform, policy));
      policy.period = 1;
      const auto triggered = [&](const char* name, Trigger trigger, std::size_t window = 0) {
        add(name, play_where(
                      one.job, platform, policy, [&](double u) { return trigger(u); },
                      [&](double cost) { trigger.stepped(cost); }, window));
      };
      triggered("trigger", {Excess::last, false, false});
      triggered("trigger, least of 3", {Excess::least_of_3, false, false});
      triggered("trigger, least of 3, a point late", {Excess::least_of_3, false, true});
      triggered("trigger, median of 3, a point late", {Excess::median_of_3, false, true});
      triggered("trigger, loads of 3 points", {Excess::last, false, false}, 3);
      triggered("trigger, least of 3, late, loads of 3", {Excess::least_of_3, false, true}, 3);
      triggered("trigger, least of 3, late, loads of 8", {Excess::least_of_3, false, true}, 8);
      triggered("trigger, least of 3, late, discounted", {Excess::least_of_3, true, true});
    }
  }
  std::printf("%-42s %5s %17s %17s %9s\n", "regret in %", "cases", "optimum", "none", "steps");
  for (const auto& [rule, regrets] : rules) regrets.print(rule.c_str());
  for (const auto& [loads, rest] : by_loads) {
    std::printf("%s\n", loads.c_str());
    for (const auto& [rule, regrets] : rest) regrets.print(("  " + rule).c_str());
  }
}

}  // namespace
}  // namespace autojudge

int main(int argc, char** argv) {
  bool held_out = false;
  std::uint64_t seeds = 1;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--held-out") == 0)
      held_out = true;
    else if (std::strcmp(argv[i], "--seeds") == 0 && i + 1 < argc)
      seeds = std::stoul(argv[++i]);
    else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc)
      only = argv[++i];
    else {
      std::fprintf(stderr, "usage: autojudge_trigger [--held-out] [--seeds N] [--only TEXT]\n");
      return 2;
    }
  }
  autojudge::judge(held_out, seeds, only);
}
