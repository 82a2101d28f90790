// SPDX-License-Identifier: Apache-2.0
// lazy_scale: decoupled and lazy balancing at 512 to 65,536 PEs, simulated from a recorded trace.
//
// usage: lazy_scale TRACE [--strategy NAME] [--element-ns A] [--points N] [--period K] [--ranks-per-pe R]
//                   [--pes P[,P...]] [--deciding M[,M...]] [--speed S]
//
// The job is the recorded one, copies of it side by side (autojudge's tile()), on a cluster of nodes of 16
// PEs, each S times as fast as where it was recorded. Its strategy is really run; the time to decide on m
// processes is a curve, since no machine here has that many:
//
//     g(m) = a w / m + c m        a: a calibrated serial strategy's time for an element, w: elements
//
// c is chosen so that for w = 265,000 g is least at m = 2,048, as O. Pearce et al. found for a parallel graph
// partitioner; at 65,536 it is all communication then, as they say, too. In mode inline all PEs run it. For
// each number of PEs the whole run is simulated with inline, and with decoupled and lazy for each m that is
// at most an eighth of the PEs, which really receive, forward and send the messages of a run. The resource
// model gets the values that the inline run shows and the curve, and its choice is compared with the best.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/autojudge/tile.hpp"
#include "bench/lazy/command_line.hpp"
#include "bench/lazy/decision_curve.hpp"
#include "bench/lazy/learned.hpp"
#include "bench/lazy/resources.hpp"
#include "skein/lb/trace_beginning.hpp"

namespace lb = skein::lb;
namespace trace = skein::trace;
using namespace skein::simulate;

namespace {

struct Options {
  std::string trace;
  std::string strategy = "scotch";
  double element_ns = 1225.7;  // of scotch, by `skein calibrate`
  std::uint64_t points = 24, period = 6;
  std::uint32_t ranks_per_pe = 4;
  double speed = 1;
  std::vector<std::uint32_t> pes = {512, 4096, 32768, 65536};
  std::vector<std::uint32_t> deciding = {1, 64, 512, 2048};  // m
};

Options parse(int argc, char** argv) {
  Options options;
  bench_lazy::read_command_line(argc, argv, [&](const std::string& word, const auto& value) {
    if (word == "--strategy") {
      options.strategy = value();
    } else if (word == "--element-ns") {
      options.element_ns = std::stod(value());
    } else if (word == "--speed") {
      options.speed = std::stod(value());
    } else if (word == "--points") {
      options.points = std::stoull(value());
    } else if (word == "--period") {
      options.period = std::stoull(value());
    } else if (word == "--ranks-per-pe") {
      options.ranks_per_pe = static_cast<std::uint32_t>(std::stoul(value()));
    } else if (word == "--pes") {
      options.pes = bench_lazy::numbers<std::uint32_t>(value());
    } else if (word == "--deciding") {
      options.deciding = bench_lazy::numbers<std::uint32_t>(value());
    } else {
      options.trace = word;
    }
  });
  if (options.trace.empty()) throw std::invalid_argument("which trace?");
  return options;
}

struct Job {
  trace::Trace trace;
  std::uint32_t pes;
  const Options& options;

  double decision_s(std::uint32_t m) const {
    return bench_lazy::decision_s(options.element_ns, static_cast<double>(trace.object_count()), m);
  }

  Platform machine(std::uint32_t count, double decides_s) const {
    Platform platform;
    platform.name = "cluster";
    platform.pes_per_node = 16;
    platform.nodes = (count + 15) / 16;
    platform.pes = count;
    platform.speed = options.speed;
    platform.node = {.latency_ns = 500, .send_ns = 150, .receive_ns = 150, .gap_ns = 50, .byte_ns = 0.1};
    platform.network = {.latency_ns = 1500, .send_ns = 300, .receive_ns = 300, .gap_ns = 100, .byte_ns = 0.1};
    platform.moves = {
        .meeting_ns = 3000, .collect_object_ns = 0.2, .object_ns = 20'000, .network_byte_ns = 0.1};
    platform.decision_element_ns[options.strategy] = 0;
    platform.decision_ns[options.strategy] = 1e9 * decides_s;
    platform.together.ns[options.strategy] = 1e9 * decides_s;
    return platform;
  }

  // Plays the run with m processes that decide, of all; 0: all, inline.
  Timeline play(lb::Mode::Kind kind, std::uint32_t m) const {
    Policy policy;
    policy.strategy = options.strategy;
    policy.period = options.period;
    policy.mode.kind = kind;
    if (kind == lb::Mode::Kind::inline_all) return simulate(trace, machine(pes, decision_s(pes)), policy);
    policy.mode.deciding_pes = static_cast<int>(m);
    policy.mode.reserved = kind == lb::Mode::Kind::lazy;
    return simulate(trace, machine(pes, decision_s(m)), policy);
  }
};

double seconds(const Timeline& run) { return 1e-9 * static_cast<double>(run.makespan); }

// LB steps in which something moved, and the time of all of them in the run.
struct Moves {
  std::size_t steps = 0;
  double seconds = 0;
};
Moves moves_of(const Timeline& run) {
  Moves moves;
  for (const StepRecord& step : run.steps) {
    moves.steps += step.moved > 0;
    moves.seconds += 1e-9 * static_cast<double>(step.move);
  }
  return moves;
}

void show(const Job& job) {
  using Kind = lb::Mode::Kind;
  const Timeline all = job.play(Kind::inline_all, 0);
  const double inline_s = seconds(all);
  printf("%6u PEs, %zu ranks: inline %.4f s, of which deciding %.4f s each of %zu steps, and moving %.4f s\n",
         job.pes, job.trace.object_count(), inline_s, job.decision_s(job.pes), all.steps.size(),
         moves_of(all).seconds);
  fflush(stdout);
  std::vector<std::uint32_t> counts;
  for (const std::uint32_t m : job.options.deciding)
    if (m <= job.pes / 8) counts.push_back(m);
  struct Tried {
    std::string mode;
    double took_s;
  };
  std::vector<Tried> tried{{"inline", inline_s}};
  for (const std::uint32_t m : counts) {
    bench_lazy::ResourceCost cost{.mode = Kind::decoupled, .deciding = m};
    const double decoupled_s = seconds(job.play(Kind::decoupled, m));
    tried.push_back({bench_lazy::mode_text(cost), decoupled_s});
    cost.mode = Kind::lazy;
    const Timeline lazy = job.play(Kind::lazy, m);
    const double lazy_s = seconds(lazy);
    tried.push_back({bench_lazy::mode_text(cost), lazy_s});
    printf(
        "       m = %5u: decides in %9.4f s   decoupled %9.4f s (%+6.1f %%)   lazy %9.4f s (%+6.1f %%), "
        "moves in "
        "%zu steps\n",
        m, job.decision_s(m), decoupled_s, 100 * (decoupled_s / inline_s - 1), lazy_s,
        100 * (lazy_s / inline_s - 1), moves_of(lazy).steps);
    fflush(stdout);
  }
  bench_lazy::Learned learned = bench_lazy::learn(all, bench_lazy::loads_in(job.trace));
  learned.samples.parallel = true;
  learned.samples.decision.clear();
  learned.question.graph = static_cast<double>(job.trace.object_count());
  for (std::uint32_t m = 1; m <= job.pes; m *= 2)
    learned.samples.decision.push_back(
        {{.processes = static_cast<double>(m), .work = learned.question.graph}, job.decision_s(m)});
  const bench_lazy::ResourceChoice choice =
      bench_lazy::choose_resources(bench_lazy::fit_resources(learned.samples), learned.question, counts);
  const std::string chosen = bench_lazy::mode_text(choice.chosen());
  const auto best = std::ranges::min_element(tried, {}, &Tried::took_s);
  const auto took = std::ranges::find(tried, chosen, &Tried::mode);
  printf("       best: %s, %+.1f %% of inline; the model chooses %s", best->mode.c_str(),
         100 * (best->took_s / inline_s - 1), chosen.c_str());
  if (took != tried.end()) printf(", which takes %.2f %% longer", 100 * (took->took_s / best->took_s - 1));
  printf("\n");
  fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse(argc, argv);
    const trace::Trace recorded = trace::beginning(trace::read_trace(options.trace), options.points);
    for (const std::uint32_t pes : options.pes) {
      const std::size_t copies =
          std::max<std::size_t>(1, std::size_t{pes} * options.ranks_per_pe / recorded.object_count());
      show({autojudge::tile(recorded, copies), pes, options});
    }
  } catch (const std::exception& error) {
    fprintf(stderr, "lazy_scale: %s\n", error.what());
    return 1;
  }
}
