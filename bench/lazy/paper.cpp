// SPDX-License-Identifier: Apache-2.0
// lazy_paper: decoupled and lazy balancing at 512 to 65,536 PEs, by the loads of Barnes-Hut and of
// dislocations, as in O. Pearce et al. (skein/lb/mode.hpp).
//
// usage: lazy_paper bodies|dislocations [--objects N] [--pes P[,P...]] [--steps N] [--period K]
//                   [--interaction-ns I[,I...]] [--vertices V] [--element-ns A] [--strategy NAME]
//                   [--decisions D] [--deciding M[,M...]]
//
// Loads are those of changing_load.hpp, of I ns an interaction; all PE counts and modes are played over the
// same steps (step_run.hpp), of which the first K are unbalanced in all of them; D decisions are made at
// most. The strategy places objects (hyper, by sampled interactions), and is really run. Deciding is assumed
// to take as long as a parallel graph partitioner on V vertices (sampled interactions):
//
//     g(m) = A V / m + c m           c such that g is least at m = 2,048 with 265,000 vertices, as they found
//     h(m, n) = 4 us + 0.6 us n / m + 0.1 ns * 104 B * V / m        messages; bytes of a vertex and its place
//
// inline: g(p), h(p, p); decoupled, where m of the p decide: g(m), h(m, p), all else as inline; lazy with m
// reserved PEs: g(m), h(m, p - m). A meeting of all takes 3 us for each level of a tree over them, an object
// that moves 0.2 us at both its ends. The resource model gets the values that the inline run shows, and g and
// h at the powers of 2, as from a calibration; its choice is compared with the best. For each number of PEs
// the program also prints the steps that f predicts, fitted to the other numbers alone, and the question to
// the model.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "bench/lazy/command_line.hpp"
#include "bench/lazy/decision_curve.hpp"
#include "bench/lazy/resources.hpp"
#include "bench/lazy/step_run.hpp"

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
  std::string strategy = "sfc";
  std::uint64_t decisions = ~std::uint64_t{0};
  std::vector<std::uint32_t> deciding = {1, 64, 512, 2048, 8192};
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
    } else if (word == "--strategy") {
      options.strategy = value();
    } else if (word == "--decisions") {
      options.decisions = std::stoul(value());
    } else if (word == "--deciding") {
      options.deciding = bench_lazy::numbers<std::uint32_t>(value());
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

std::vector<std::uint32_t> deciding_of(const Options& options, std::uint32_t pes) {
  std::vector<std::uint32_t> counts;
  for (const std::uint32_t m : options.deciding)
    if (m <= pes / 8) counts.push_back(m);
  return counts;
}

// Returns the job inline, or lazily with m reserved PEs.
StepJob job_of(const Options& options, std::uint32_t pes, Kind mode, std::uint32_t m) {
  const bool all = mode == Kind::inline_all;
  const std::uint32_t n = all ? pes : pes - m;
  return {.mode = mode,
          .computing = n,
          .deciding = all ? pes : m,
          .period = options.period,
          .decisions = options.decisions,
          .decide_s = decision_s(options, all ? pes : m),
          .exchange_s = exchange_s(options, all ? pes : m, n),
          .meeting_s = 3e-6 * static_cast<double>(std::bit_width(n - 1)),
          .move_object_s = 0.2e-6};
}

struct Asked {
  bench_lazy::ResourceModel model;
  bench_lazy::ResourceQuestion question;
  bench_lazy::ResourceChoice choice;
};

Asked ask_model(const Options& options, const StepRun& all, std::uint32_t pes,
                std::span<const std::uint32_t> counts, const std::vector<bench_lazy::Object>& objects) {
  bench_lazy::ResourceSamples samples = all.learned().samples();
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
  bench_lazy::ResourceQuestion question = all.learned().question(pes);
  question.graph = options.vertices;
  for (const bench_lazy::Object& object : objects) question.loads.push_back(object.load);
  if (options.decisions == 1)
    question.steps = static_cast<double>(options.steps) - static_cast<double>(options.period);
  const bench_lazy::ResourceModel model = bench_lazy::fit_resources(samples);
  return {model, question, bench_lazy::choose_resources(model, question, counts)};
}

void print(const Asked& asked, std::uint32_t m) {
  const bench_lazy::ResourceQuestion& of = asked.question;
  const double p = of.processes;
  printf("  asked with alpha %.4f, i %.5f, t %.1f, f(p) %.7f s, g(%u) %.7f s, h(%u, p) %.7f s\n", of.alpha,
         of.growth, of.steps, asked.model.f({.processes = p, .work = of.work}), m,
         asked.model.g({.processes = static_cast<double>(m), .work = of.graph}), m,
         asked.model.h({.processes = static_cast<double>(m), .work = of.graph, .partners = p}));
}

// A mode that was played, or follows from the inline run.
struct Tried {
  bench_lazy::ResourceCost mode;
  double decide_s, exchange_s, took_s, loss_s;
  std::uint64_t applied, dropped;
};

// `unbalanced` is never balanced, `all` inline, the others lazy, each with another number of deciding PEs.
void show(const Options& options, std::uint32_t pes, const StepRun& unbalanced, const StepRun& all,
          std::span<const StepRun> lazy, const std::vector<bench_lazy::Object>& objects) {
  printf(
      "%6u PEs: inline %.4f s, a decision %.4f s, steps longer than balanced by %.4f s; unbalanced %.4f s\n",
      pes, all.seconds(), all.job().decide_s, all.loss_s(), unbalanced.seconds());
  std::vector<Tried> tried = {{{.mode = Kind::inline_all, .deciding = pes},
                               all.job().decide_s,
                               all.job().exchange_s,
                               all.seconds(),
                               all.loss_s(),
                               all.applied(),
                               all.dropped()}};
  for (const std::uint32_t m : deciding_of(options, pes)) {
    const double decide_s = decision_s(options, m), exchange = exchange_s(options, m, pes);
    tried.push_back({{.mode = Kind::decoupled, .deciding = m},
                     decide_s,
                     exchange,
                     all.seconds_with(decide_s, exchange),
                     all.loss_s(),
                     all.applied(),
                     all.dropped()});
  }
  for (const StepRun& run : lazy)
    tried.push_back({{.mode = Kind::lazy, .deciding = run.job().deciding},
                     run.job().decide_s,
                     run.job().exchange_s,
                     run.seconds(),
                     run.loss_s(),
                     run.applied(),
                     run.dropped()});
  for (const Tried& one : std::span(tried).subspan(1))
    printf(
        "  %-18s decides in %9.5f s, exchanges in %8.5f s: %9.4f s (%+6.1f %%), loss %8.4f s, applied %2d, "
        "dropped %d\n",
        bench_lazy::mode_text(one.mode).c_str(), one.decide_s, one.exchange_s, one.took_s,
        100 * (one.took_s / all.seconds() - 1), one.loss_s, static_cast<int>(one.applied),
        static_cast<int>(one.dropped));
  const Asked asked = ask_model(options, all, pes, deciding_of(options, pes), objects);
  const auto text_of = [](const Tried& one) { return bench_lazy::mode_text(one.mode); };
  const std::string chosen = bench_lazy::mode_text(asked.choice.chosen());
  const auto best = std::ranges::min_element(tried, {}, &Tried::took_s);
  const auto took = std::ranges::find(tried, chosen, text_of);
  printf(
      "  best: %s, %+.1f %% of inline; the model chooses %s, %+.1f %% of inline, %.2f %% longer than the "
      "best\n",
      text_of(*best).c_str(), 100 * (best->took_s / all.seconds() - 1), chosen.c_str(),
      100 * (took->took_s / all.seconds() - 1), 100 * (took->took_s / best->took_s - 1));
  if (!lazy.empty()) print(asked, lazy.back().job().deciding);
  fflush(stdout);
}

// Prints the steps that f predicts for each number of PEs, fitted to those on the others; needs at least
// three.
void show_fits(std::span<const StepRun> inline_runs) {
  for (std::size_t left_out = 0; left_out < inline_runs.size() && inline_runs.size() > 2; ++left_out) {
    bench_lazy::ResourceSamples others, own = inline_runs[left_out].learned().samples();
    for (std::size_t k = 0; k < inline_runs.size(); ++k) {
      const bench_lazy::ResourceSamples& samples = inline_runs[k].learned().samples();
      if (k != left_out) others.step.insert(others.step.end(), samples.step.begin(), samples.step.end());
      others.decision = samples.decision;
    }
    const lb::CurveSample& sample = own.step.front();
    const double says_s = bench_lazy::fit_resources(others).f(sample.at);
    printf("  f(%.0f): %.6f s, by those on other numbers of PEs %.6f s (%+.1f %%)\n", sample.at.processes,
           sample.seconds, says_s, 100 * (says_s / sample.seconds - 1));
  }
}

// All runs on machines on which an interaction takes interaction_s: for each number of PEs one that is never
// balanced, one inline, and the lazy ones.
struct Machine {
  double interaction_s;
  std::vector<StepRun> unbalanced = {}, inline_runs = {};
  std::vector<std::vector<StepRun>> lazy = {};

  template <class F>
  void for_each_run(F f) {
    for (StepRun& run : unbalanced) f(run);
    for (StepRun& run : inline_runs) f(run);
    for (std::vector<StepRun>& runs : lazy)
      for (StepRun& run : runs) f(run);
  }
};

Machine machine_of(const Options& options, double interaction_ns, const lb::Selection& strategy,
                   const std::vector<bench_lazy::Object>& objects) {
  Machine machine{.interaction_s = 1e-9 * interaction_ns};
  for (const std::uint32_t pes : options.pes) {
    StepJob job = job_of(options, pes, Kind::inline_all, 0);
    machine.inline_runs.emplace_back(job, strategy, objects);
    job.decisions = 0;
    machine.unbalanced.emplace_back(job, strategy, objects);
    std::vector<StepRun>& lazy = machine.lazy.emplace_back();
    for (const std::uint32_t m : deciding_of(options, pes))
      lazy.emplace_back(job_of(options, pes, Kind::lazy, m), strategy, objects);
  }
  return machine;
}

std::vector<bench_lazy::Object> in_seconds(std::vector<bench_lazy::Object> objects, double interaction_s) {
  for (bench_lazy::Object& object : objects) object.load *= interaction_s;
  return objects;
}

void play(const Options& options) {
  const bench_lazy::ChangingLoad load = bench_lazy::make_load(options.kind, options.objects);
  const lb::Selection strategy = lb::parse_strategy(options.strategy);
  const bool wants_hypergraph = strategy.info->name == "hyper";
  std::vector<bench_lazy::Object> objects = load.now();
  std::vector<Machine> machines;
  for (const double ns : options.interaction_ns)
    machines.push_back(machine_of(options, ns, strategy, objects));
  double interactions = 0;
  for (const bench_lazy::Object& object : objects) interactions += object.load;
  printf("%s: %zu objects, %.4g interactions a step, %d steps, decisions at every %d, by %s\n",
         options.kind.c_str(), objects.size(), interactions, options.steps, static_cast<int>(options.period),
         options.strategy.c_str());
  fflush(stdout);
  for (int step = 0; step < options.steps; ++step) {
    if (step > 0) {
      load.step();
      objects = load.now();
    }
    const auto passed = static_cast<std::uint64_t>(step) + 1;
    const bool may_ask = passed % options.period == 0 && passed / options.period <= options.decisions;
    const lb::Hypergraph hypergraph = wants_hypergraph && may_ask ? load.hypergraph() : lb::Hypergraph();
    for (Machine& machine : machines) {
      const std::vector<bench_lazy::Object> now = in_seconds(objects, machine.interaction_s);
      machine.for_each_run([&](StepRun& run) { run.step(now, hypergraph); });
    }
  }
  for (const Machine& machine : machines) {
    printf("%g ns an interaction\n", 1e9 * machine.interaction_s);
    for (std::size_t k = 0; k < options.pes.size(); ++k)
      show(options, options.pes[k], machine.unbalanced[k], machine.inline_runs[k], machine.lazy[k], objects);
    show_fits(machine.inline_runs);
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
