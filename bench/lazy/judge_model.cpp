// SPDX-License-Identifier: Apache-2.0
// judge_model: how often the resource model chooses the mode that takes least, by simulation.
//
// A job has eight ranks a PE, which meet at each sync point; a hot spot, where a rank takes four times as
// long, covers a quarter of them and travels. For each combination of PEs, decision time, speed of the spot
// and period the job is simulated in all modes. The model is asked with the values that an inline run of the
// job shows, and its choice is compared with the best of all modes; then again with a t that t' does not
// bound, as in a job that learns while it runs. Prints a row for each, and two lines that sum up.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

#include "bench/lazy/learned.hpp"
#include "skein/lb/simulate.hpp"

namespace lb = skein::lb;
namespace trace = skein::trace;
using namespace skein::simulate;

namespace {

constexpr std::uint32_t ranks_a_pe = 8;
constexpr int points = 120;
constexpr std::uint64_t usual_ns = 100'000;

struct Case {
  std::uint32_t pes;
  double decision;         // in balanced times from sync point to sync point
  double ranks_per_point;  // by which the spot travels
  std::uint64_t period;
};

trace::Trace travelling_spot(const Case& c) {
  const std::uint32_t ranks = ranks_a_pe * c.pes;
  trace::TraceBuilder builder(trace::Header(), ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    for (int point = 0; point < points; ++point) {
      const double ahead = std::fmod(rank - c.ranks_per_point * point + 1e3 * ranks, ranks);
      const std::uint64_t burst = ahead < ranks / 4.0 ? 4 * usual_ns : usual_ns;
      builder.add(rank, {.kind = trace::EventKind::collective,
                         .what = static_cast<std::uint8_t>(trace::Collective::barrier),
                         .partner = trace::kAny,
                         .burst_ns = burst});
      builder.add(rank, {.kind = trace::EventKind::sync, .bytes = 100'000});
    }
    builder.add(rank, {.kind = trace::EventKind::end});
  }
  return std::move(builder).finish();
}

Platform machine(const Case& c) {
  Platform platform;
  platform.name = "nodes of one PE";
  platform.nodes = c.pes;
  platform.network = {.latency_ns = 1500,
                      .send_ns = 300,
                      .send_byte_ns = 0,
                      .receive_ns = 300,
                      .receive_byte_ns = 0,
                      .fetch_byte_ns = 0,
                      .gap_ns = 100,
                      .byte_ns = 0.1};
  platform.moves.meeting_ns = 3000;
  platform.moves.collect_object_ns = 200;
  platform.moves.object_ns = 20'000;
  const double elements = (ranks_a_pe + 1) * c.pes;
  const double balanced_ns = ranks_a_pe * usual_ns * (1 + 3 / 4.0);
  platform.decision_element_ns["greedy-refine"] = c.decision * balanced_ns / elements;
  return platform;
}

Timeline play(const trace::Trace& trace, const Case& c, const std::string& mode) {
  Policy policy;
  policy.strategy = "greedy-refine";
  policy.period = c.period;
  policy.mode = lb::parse_mode(mode);
  return simulate(trace, machine(c), policy);
}

/// `bounded`: t' bounds t.
bench_lazy::ResourceChoice ask_model(const Timeline& run, const trace::Trace& trace, bool bounded) {
  bench_lazy::Learned learned = bench_lazy::learn(run, bench_lazy::loads_in(trace));
  if (!bounded) learned.question.growth = 0;
  constexpr std::uint32_t one[] = {1};
  return bench_lazy::choose_resources(bench_lazy::fit_resources(learned.samples), learned.question, one);
}

/// By how much the chosen mode took longer than the best, %.
struct Regrets {
  std::vector<double> all;

  void print(const char* name) const {
    const auto right = std::ranges::count_if(all, [](double regret) { return regret <= 1; });
    const auto count = static_cast<double>(all.size());
    printf("%s, %zu cases: right within 1 %% in %.0f %%; mean regret %.2f %%, largest %.1f %%\n", name,
           all.size(), 100 * static_cast<double>(right) / count,
           std::accumulate(all.begin(), all.end(), 0.0) / count, std::ranges::max(all));
  }
};

}  // namespace

int main() {
  Regrets bounded, unbounded;
  printf("%4s %9s %6s %7s  %10s %10s %10s  %-20s %8s  %-20s %8s\n", "PEs", "decision", "speed", "period",
         "inline s", "decoupled", "lazy", "chosen", "regret %", "without t'", "regret %");
  for (const std::uint32_t pes : {4u, 8u, 16u, 32u})
    for (const double decision : {0.02, 0.5, 2.0, 8.0})
      for (const double speed : {0.05, 0.25, 1.0})
        for (const std::uint64_t period : {std::uint64_t{4}, std::uint64_t{12}}) {
          const Case c{pes, decision, speed, period};
          const trace::Trace trace = travelling_spot(c);
          const Timeline all = play(trace, c, "inline");
          const std::string modes[] = {bench_lazy::mode_text(ask_model(all, trace, true).chosen()),
                                       bench_lazy::mode_text(ask_model(all, trace, false).chosen()),
                                       "decoupled", "lazy"};
          std::map<std::string, double> seconds{{"inline", 1e-9 * static_cast<double>(all.makespan)}};
          for (const std::string& mode : modes)
            if (!seconds.contains(mode))
              seconds[mode] = 1e-9 * static_cast<double>(play(trace, c, mode).makespan);
          const double best = std::ranges::min(seconds | std::views::values);
          const auto regret = [&](const std::string& mode) { return 100 * (seconds[mode] / best - 1); };
          bounded.all.push_back(regret(modes[0]));
          unbounded.all.push_back(regret(modes[1]));
          printf("%4u %9g %6g %7d  %10.5f %10.5f %10.5f  %-20s %8.2f  %-20s %8.2f\n", pes, decision, speed,
                 static_cast<int>(period), seconds["inline"], seconds["decoupled"], seconds["lazy"],
                 modes[0].c_str(), regret(modes[0]), modes[1].c_str(), regret(modes[1]));
        }
  bounded.print("t bounded by t'");
  unbounded.print("t not bounded");
}
