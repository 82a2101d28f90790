// SPDX-License-Identifier: Apache-2.0
// lazy_paper: decoupled and lazy balancing at 512 to 65,536 PEs, by the loads of Barnes-Hut and of something
// like dislocations, as O. Pearce et al. (skein/lb/mode.hpp) have them.
//
// usage: lazy_paper bodies|segments [--objects N] [--pes P[,P...]] [--steps N] [--period K]
//                   [--interaction-ns I[,I...]] [--vertices V] [--element-ns A]
//
// Loads are those of changing_load.hpp, of I ns an interaction; all PE counts and modes are played over the
// same steps (step_run.hpp), of which the first K are unbalanced in all of them. Objects are placed by sfc,
// which is really run. What deciding takes is that of a parallel graph partitioner on V vertices (sampled
// interactions):
//
//     g(m) = A V / m + c m           c such that g is least at m = 2,048 with 265,000 vertices, as they found
//     h(m, n) = 4 us + 0.6 us n / m + 0.1 ns * 104 B * V / m        messages; bytes of a vertex and its place
//
// inline: g(p), h(p, p); decoupled and lazy with m reserved PEs: g(m), h(m, p - m). A meeting of all takes 3
// us for each level of a tree over them, an object that moves 0.2 us at both its ends. The resource model is
// told what the inline run shows, and g and h at the powers of 2, as a calibration would; its choice is
// compared with the best.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "bench/lazy/command_line.hpp"
#include "bench/lazy/decision_curve.hpp"
#include "bench/lazy/step_run.hpp"
#include "skein/lb/resources.hpp"

namespace lb = skein::lb;
using bench_lazy::StepJob;
using bench_lazy::StepRun;
using Kind = lb::Mode::Kind;

namespace {

struct Options {
  std::string kind;
  std::size_t objects = 1'000'000;
  std::vector<std::uint32_t> pes = {512, 4096, 32768, 65536};
  int steps = 100;
  std::uint64_t period = 20;
  std::vector<double> interaction_ns = {10};
  double vertices = 265'000;
  double element_ns = 1225.7;  // of scotch, by `skein calibrate`
};

Options parse(int argc, char** argv) {
  Options options;
  bench_lazy::read_command_line(argc, argv, [&](const std::string& word, const auto& value) {
    if (word == "--objects") {
      options.objects = std::stoul(value());
    } else if (word == "--steps") {
      options.steps = std::stoi(value());
    } else if (word == "--period") {
      options.period = std::stoul(value());
    } else if (word == "--interaction-ns") {
      options.interaction_ns = bench_lazy::numbers<double>(value());
    } else if (word == "--vertices") {
      options.vertices = std::stod(value());
    } else if (word == "--element-ns") {
      options.element_ns = std::stod(value());
    } else if (word == "--pes") {
      options.pes = bench_lazy::numbers<std::uint32_t>(value());
    } else {
      options.kind = word;
    }
  });
  return options;
}

double decision_s(const Options& options, double m) {
  return bench_lazy::decision_s(options.element_ns, options.vertices, m);
}

double exchange_s(const Options& options, double m, double n) {
  return 4e-6 + 0.6e-6 * n / m + 0.1e-9 * 104 * options.vertices / m;
}

std::vector<std::uint32_t> deciding_of(std::uint32_t pes) {
  std::vector<std::uint32_t> counts;
  for (const std::uint32_t m : {1u, 64u, 512u, 2048u, 8192u})
    if (m <= pes / 8) counts.push_back(m);
  return counts;
}

StepJob job_of(const Options& options, std::uint32_t pes, Kind mode, std::uint32_t m) {
  const bool all = mode == Kind::inline_all;
  const std::uint32_t n = all ? pes : pes - m;
  return {.mode = mode,
          .computing = n,
          .deciding = all ? pes : m,
          .period = options.period,
          .decide_s = decision_s(options, all ? pes : m),
          .exchange_s = exchange_s(options, all ? pes : m, n),
          .meeting_s = 3e-6 * static_cast<double>(std::bit_width(n - 1)),
          .move_object_s = 0.2e-6};
}

lb::ResourceChoice ask_model(const Options& options, const StepRun& all, std::uint32_t pes,
                             std::span<const std::uint32_t> counts,
                             const std::vector<bench_lazy::Object>& objects) {
  lb::ResourceSamples samples = all.learned().samples();
  samples.parallel = true;
  samples.decision.clear();
  for (std::uint32_t m = 1; m <= pes; m *= 2)
    samples.decision.push_back(
        {{.processes = static_cast<double>(m), .work = options.vertices}, decision_s(options, m)});
  for (std::uint32_t m = 1; m <= pes; m *= 2) {
    const double n = m == pes ? pes : pes - m;
    samples.exchange.push_back(
        {{.processes = static_cast<double>(m), .work = options.vertices, .partners = n},
         exchange_s(options, m, n)});
  }
  lb::ResourceQuestion question = all.learned().question(pes);
  question.graph = options.vertices;
  for (const bench_lazy::Object& object : objects) question.loads.push_back(object.load);
  return lb::choose_resources(lb::fit_resources(samples), question, counts);
}

void show(const Options& options, std::uint32_t pes, const std::vector<const StepRun*>& runs,
          const std::vector<bench_lazy::Object>& objects) {
  const StepRun& all = *runs.front();
  printf("%6u PEs: inline %.4f s, a decision %.4f s, steps longer than balanced by %.4f s\n", pes,
         all.seconds(), all.job().decide_s, all.loss_s());
  struct Tried {
    std::string mode;
    double took_s;
  };
  std::vector<Tried> tried;
  for (const StepRun* const run : runs) {
    const lb::ResourceCost cost{.mode = run->job().mode, .deciding = run->job().deciding};
    tried.push_back({lb::mode_text(cost), run->seconds()});
    if (run == &all) continue;
    printf(
        "  %-18s decides in %9.5f s, exchanges in %8.5f s: %9.4f s (%+6.1f %%), loss %8.4f s, applied %2d, "
        "dropped %d\n",
        tried.back().mode.c_str(), run->job().decide_s, run->job().exchange_s, run->seconds(),
        100 * (run->seconds() / all.seconds() - 1), run->loss_s(), static_cast<int>(run->applied()),
        static_cast<int>(run->dropped()));
  }
  const lb::ResourceChoice choice = ask_model(options, all, pes, deciding_of(pes), objects);
  const std::string chosen = lb::mode_text(choice.chosen());
  const auto best = std::ranges::min_element(tried, {}, &Tried::took_s);
  const auto took = std::ranges::find(tried, chosen, &Tried::mode);
  printf(
      "  best: %s, %+.1f %% of inline; the model chooses %s, %+.1f %% of inline, %.2f %% longer than the "
      "best\n",
      best->mode.c_str(), 100 * (best->took_s / all.seconds() - 1), chosen.c_str(),
      100 * (took->took_s / all.seconds() - 1), 100 * (took->took_s / best->took_s - 1));
  fflush(stdout);
}

// All runs on machines on which an interaction takes so long.
struct Machines {
  double interaction_s;
  std::vector<StepRun> runs;
};

std::vector<bench_lazy::Object> in_seconds(std::vector<bench_lazy::Object> objects, double interaction_s) {
  for (bench_lazy::Object& object : objects) object.load *= interaction_s;
  return objects;
}

void play(const Options& options) {
  const bench_lazy::ChangingLoad load = bench_lazy::make_load(options.kind, options.objects);
  const lb::Selection strategy = lb::parse_strategy("sfc");
  std::vector<bench_lazy::Object> objects = load.now();
  std::vector<Machines> machines;
  for (const double ns : options.interaction_ns) {
    machines.push_back({1e-9 * ns, {}});
    std::vector<StepRun>& runs = machines.back().runs;
    for (const std::uint32_t pes : options.pes) {
      runs.emplace_back(job_of(options, pes, Kind::inline_all, 0), strategy, objects);
      for (const Kind mode : {Kind::decoupled, Kind::lazy})
        for (const std::uint32_t m : deciding_of(pes))
          runs.emplace_back(job_of(options, pes, mode, m), strategy, objects);
    }
  }
  double interactions = 0;
  for (const bench_lazy::Object& object : objects) interactions += object.load;
  printf("%s: %zu objects, %.4g interactions a step, %d steps, decisions at every %d\n", options.kind.c_str(),
         objects.size(), interactions, options.steps, static_cast<int>(options.period));
  fflush(stdout);
  for (int step = 0; step < options.steps; ++step) {
    if (step > 0) {
      load.step();
      objects = load.now();
    }
    for (Machines& each : machines) {
      const std::vector<bench_lazy::Object> now = in_seconds(objects, each.interaction_s);
      for (StepRun& run : each.runs) run.step(now);
    }
  }
  for (const Machines& each : machines) {
    printf("%g ns an interaction\n", 1e9 * each.interaction_s);
    auto next = each.runs.cbegin();
    for (const std::uint32_t pes : options.pes) {
      std::vector<const StepRun*> of_pes;
      for (std::size_t k = 0; k < 1 + 2 * deciding_of(pes).size(); ++k) of_pes.push_back(&*next++);
      show(options, pes, of_pes, objects);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    play(parse(argc, argv));
  } catch (const std::exception& error) {
    fprintf(stderr, "lazy_paper: %s\n", error.what());
    return 1;
  }
}
