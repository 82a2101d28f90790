// SPDX-License-Identifier: Apache-2.0
// --lb auto --lb-period auto against none and twelve fixed choices, on made-up loads, simulated without
// messages: what its rules are designed with, since it takes half a minute and knows no noise. What counts is
// said by autojudge_traces, and by bench/auto.sh on real PEs.
//
// usage: autojudge_synthetic [-v]
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

#include "bench/autojudge/patterns.hpp"

namespace autojudge {
namespace {

using skein::simulate::Platform;
using skein::simulate::Policy;

// One node; LB steps as they are between so many PEs on one.
Platform one_node(std::size_t pes) {
  Platform platform;
  platform.name = "one node";
  platform.pes_per_node = static_cast<std::uint32_t>(pes);
  platform.node.latency_ns = 500;
  platform.moves = {.meeting_ns = 8000, .collect_object_ns = 200, .object_ns = 15000, .node_byte_ns = 0.06};
  return platform;
}

constexpr const char* kFixed[] = {"greedy", "greedy-refine", "refine", "diffusion"};
constexpr std::uint64_t kPeriods[] = {1, 5, 20};

struct Best {
  double seconds;
  std::string choice;
};

Best best_fixed(const Job& job, const Platform& platform) {
  Policy policy;
  Best best{play(job, platform, policy).seconds, "none"};
  for (const char* strategy : kFixed)
    for (const std::uint64_t period : kPeriods) {
      policy.strategy = strategy;
      policy.period = period;
      const double seconds = play(job, platform, policy).seconds;
      if (seconds < best.seconds) best = {seconds, policy.strategy + " every " + std::to_string(period)};
    }
  return best;
}

class Tally {
 public:
  void add(const Job& job, bool verbose) {
    const Platform platform = one_node(job.pes);
    const Best best = best_fixed(job, platform);
    Policy policy;
    policy.strategy = "auto";
    policy.period = 0;
    const Played ours = play(job, platform, policy);
    const double regret = 100 * (ours.seconds / best.seconds - 1);
    ++cases_;
    sum_ += regret;
    right_ += regret <= 1;
    worst_of_[job.name()] = std::max(worst_of_[job.name()], regret);
    if (verbose || regret > 3)
      std::printf("%3zu PEs %5zu objects %6.1f ms %-9s best %9.4f s %-23s auto %+6.2f %% in %zu steps\n",
                  job.pes, job.objects, job.point_s * 1e3, job.name().c_str(), best.seconds,
                  best.choice.c_str(), regret, ours.steps);
  }

  void print() const {
    double worst = 0;
    for (const auto& [name, regret] : worst_of_) {
      std::printf("%-10s worst %6.2f %%\n", name.c_str(), regret);
      worst = std::max(worst, regret);
    }
    const double cases = static_cast<double>(cases_);
    std::printf("%zu cases: regret %.2f %% on average, %.2f %% at worst, at most 1 %% in %.1f %%\n", cases_,
                sum_ / cases, worst, 100.0 * static_cast<double>(right_) / cases);
  }

 private:
  std::size_t cases_ = 0, right_ = 0;
  double sum_ = 0;
  std::map<std::string, double> worst_of_;
};

void judge(bool verbose) {
  Tally tally;
  for (const std::size_t pes : {2, 8, 64})
    for (const std::size_t per_pe : {4, 16})
      for (const double point_s : {0.0005, 0.01, 0.1})
        for (const char* loads :
             {"even", "constant", "drift", "jump/10", "jump/60", "jump/300", "anew", "noisy"}) {
          Job job = parse_job(loads);
          job.pes = pes;
          job.objects = pes * per_pe;
          job.point_s = point_s;
          job.points = static_cast<std::size_t>(std::clamp(3 / point_s, 300.0, 1500.0));
          tally.add(job, verbose);
        }
  tally.print();
}

}  // namespace
}  // namespace autojudge

int main(int argc, char** argv) { autojudge::judge(argc > 1 && std::string_view(argv[1]) == "-v"); }
