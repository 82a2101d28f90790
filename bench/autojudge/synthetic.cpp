// SPDX-License-Identifier: Apache-2.0
// Compares --lb auto --lb-period auto on made-up loads, simulated without messages, with none and twelve
// fixed choices, and with the optimum (patterns.hpp). Its rules are designed with this program, because there
// is no noise here but the loads' own. They are judged by autojudge_traces as well, and by live.py on real
// PEs.
//
// usage: autojudge_synthetic [-v] [--seeds N] [--held-out] [--only TEXT] [--bests FILE]
//
//   --seeds     plays jobs that contain chance with so many seeds (3)
//   --held-out  plays the third of the jobs by which nothing in lb/ may be chosen; for the end
//   --only      plays the jobs whose names contain TEXT
//   --bests     keeps the results of the other choices, which do not depend on auto, in FILE from run to run
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "bench/autojudge/cases.hpp"
#include "bench/autojudge/patterns.hpp"

namespace autojudge {
namespace {

using skein::simulate::Platform;
using skein::simulate::Policy;

constexpr const char* kFixed[] = {"greedy", "greedy-refine", "refine", "diffusion"};
constexpr std::uint64_t kPeriods[] = {1, 5, 20};

struct Bests {
  double none_s = 0, fixed_s = 0, optimum_s = 0;
  std::string fixed;
};

Bests play_bests(const Job& job, const Platform& platform) {
  Policy policy;
  Bests bests;
  bests.none_s = bests.fixed_s = play(job, platform, policy).seconds;
  bests.fixed = "none";
  for (const char* strategy : kFixed)
    for (const std::uint64_t period : kPeriods) {
      policy.strategy = strategy;
      policy.period = period;
      const double seconds = play(job, platform, policy).seconds;
      if (seconds < bests.fixed_s)
        bests.fixed_s = seconds, bests.fixed = policy.strategy + "/" + std::to_string(period);
    }
  bests.optimum_s = optimum(job, platform).seconds;
  return bests;
}

// A line for each case: its name, a tab, and the numbers.
class KeptBests {
 public:
  explicit KeptBests(std::string path) : path_(std::move(path)) {
    std::ifstream file(path_);
    std::string name;
    for (Bests bests; std::getline(file, name, '\t') &&
                      file >> bests.none_s >> bests.fixed_s >> bests.optimum_s >> bests.fixed;
         file.ignore())
      known_[name] = bests;
  }

  Bests of(const Case& one, const Platform& platform) {
    if (const auto found = known_.find(one.name()); found != known_.end()) return found->second;
    const Bests bests = play_bests(one.job, platform);
    if (!path_.empty()) {
      std::ofstream file(path_, std::ios::app);
      file.precision(12);
      file << one.name() << '\t' << bests.none_s << ' ' << bests.fixed_s << ' ' << bests.optimum_s << ' '
           << bests.fixed << '\n';
    }
    return bests;
  }

 private:
  std::string path_;
  std::map<std::string, Bests> known_;
};

struct Regrets {
  std::vector<double> fixed, optimum, none;  // percent

  void add(double seconds, const Bests& bests) {
    fixed.push_back(100 * (seconds / bests.fixed_s - 1));
    optimum.push_back(100 * (seconds / bests.optimum_s - 1));
    none.push_back(100 * (seconds / bests.none_s - 1));
  }
  static void print(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    std::printf(" %8.2f %8.2f", sum / static_cast<double>(values.size()), std::ranges::max(values));
  }
  void print(const std::string& name) const {
    std::printf("%-24s %5zu", name.c_str(), fixed.size());
    print(fixed);
    const auto right = std::ranges::count_if(fixed, [](double value) { return value <= 1; });
    std::printf(" %7.0f %%", 100.0 * static_cast<double>(right) / static_cast<double>(fixed.size()));
    print(optimum);
    print(none);
    std::printf("\n");
  }
};

struct Request {
  bool verbose = false, held_out = false;
  std::uint64_t seeds = 3;
  std::string bests, only;
};

void judge(const Request& request) {
  KeptBests kept(request.bests);
  Regrets all;
  std::map<std::string, Regrets> by_loads;
  for (const Case& one : cases_of(request.held_out, request.seeds)) {
    if (one.name().find(request.only) == std::string::npos) continue;
    const Platform platform = one_node(one.job.pes);
    const Bests bests = kept.of(one, platform);
    Policy policy;
    policy.strategy = "auto";
    policy.period = 0;
    const Played ours = play(one.job, platform, policy);
    all.add(ours.seconds, bests);
    by_loads[one.loads].add(ours.seconds, bests);
    if (request.verbose)
      std::printf(
          "%-60s none %9.4f, %s %9.4f, optimum %9.4f; auto %9.4f s, %+6.2f %%, %+6.2f %%, %zu steps\n",
          one.name().c_str(), bests.none_s, bests.fixed.c_str(), bests.fixed_s, bests.optimum_s, ours.seconds,
          all.fixed.back(), all.optimum.back(), ours.steps);
  }
  std::printf("%-24s %5s %17s %9s %17s %17s\n", "regret in %", "cases", "best fixed", "at most 1", "optimum",
              "none");
  std::printf("%-24s %5s %8s %8s %9s %8s %8s %8s %8s\n", "", "", "mean", "worst", "", "mean", "worst", "mean",
              "worst");
  for (const auto& [loads, regrets] : by_loads) regrets.print(loads);
  all.print("all");
}

}  // namespace
}  // namespace autojudge

int main(int argc, char** argv) {
  autojudge::Request request;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "-v") == 0)
      request.verbose = true;
    else if (std::strcmp(argv[i], "--held-out") == 0)
      request.held_out = true;
    else if (std::strcmp(argv[i], "--seeds") == 0 && i + 1 < argc)
      request.seeds = std::stoul(argv[++i]);
    else if (std::strcmp(argv[i], "--only") == 0 && i + 1 < argc)
      request.only = argv[++i];
    else if (std::strcmp(argv[i], "--bests") == 0 && i + 1 < argc)
      request.bests = argv[++i];
    else {
      std::fprintf(stderr,
                   "usage: autojudge_synthetic [-v] [--seeds N] [--held-out] [--only TEXT] [--bests FILE]\n");
      return 2;
    }
  }
  autojudge::judge(request);
}
