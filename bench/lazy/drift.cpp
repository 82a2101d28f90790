// SPDX-License-Identifier: Apache-2.0
// lazy_drift: how far a load drifts from the one that a decision was made for, over the steps since then.
//
// usage: lazy_drift bodies|dislocations [--objects N] [--pes P] [--steps N] [--strategy NAME]
//
// The loads are those of changing_load.hpp. O. Pearce et al. found for bodies, on 8,192 processes: total work
// within 5 %, half of them unchanged; for dislocations, on 2,048: nearly all processes change in each step,
// imbalance at most 7 %.
//
// A strategy decides by the loads of the first step; its decision is applied to each later step like a late
// decision (skein/lb/late.hpp), and the imbalance of a decision that is not late stands beside it. Then
// follow the objects whose load is still the same to the digit; the most by which the loads of all but a
// twentieth change from one step to the next; and, on average over the steps since the line before, the PEs
// whose load changes in a step, and by which part of it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bench/lazy/changing_load.hpp"
#include "bench/lazy/command_line.hpp"
#include "skein/lb/late.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/strategy.hpp"

namespace lb = skein::lb;
using bench_lazy::ChangingLoad;
using bench_lazy::Object;

namespace {

struct Options {
  std::string kind;
  std::size_t objects = 20'000;
  std::uint32_t pes = 64;
  int steps = 500;
  std::string strategy = "rcb";
};

/// Returns a snapshot in which each PE has as many neighbours in the list.
lb::Snapshot snapshot_of(const std::vector<Object>& objects, std::uint32_t pes) {
  lb::Snapshot snapshot;
  snapshot.pes = lb::uniform_pes(pes);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    snapshot.add_object({.id = objects[i].id,
                         .pe = static_cast<lb::PeIndex>(i * pes / objects.size()),
                         .load = objects[i].load});
    snapshot.objects.position.push_back(objects[i].place);
  }
  return snapshot;
}

Options parse(int argc, char** argv) {
  Options options;
  bench_lazy::read_command_line(argc, argv, [&](const std::string& word, const auto& value) {
    if (word == "--objects")
      options.objects = std::stoul(value());
    else if (word == "--pes")
      options.pes = static_cast<std::uint32_t>(std::stoul(value()));
    else if (word == "--steps")
      options.steps = std::stoi(value());
    else if (word == "--strategy")
      options.strategy = value();
    else
      options.kind = word;
  });
  return options;
}

using Loads = std::unordered_map<std::uint64_t, double>;
Loads loads_by_id(const std::vector<Object>& objects) {
  Loads loads;
  for (const Object& object : objects) loads[object.id] = object.load;
  return loads;
}

/// Returns |change| / load of each object that was there before, rising.
std::vector<double> changes_since(const Loads& before, const std::vector<Object>& objects) {
  std::vector<double> changes;
  for (const Object& object : objects)
    if (const auto was = before.find(object.id); was != before.end() && was->second > 0)
      changes.push_back(std::abs(object.load - was->second) / was->second);
  std::ranges::sort(changes);
  return changes;
}

double percent_unchanged(const std::vector<double>& changes) {
  const auto changed = std::ranges::upper_bound(changes, 0.0);
  return 100 * static_cast<double>(changed - changes.begin()) / static_cast<double>(changes.size());
}

/// The decision under the loads of a later step, even if it is worse than staying.
struct Later {
  lb::LateDrift drift;
  std::vector<double> pe_loads;
};
Later later(const lb::Snapshot& then, const lb::Decision& decided, const std::vector<Object>& objects,
            const lb::Snapshot& now) {
  std::vector<std::uint64_t> parents;
  for (const Object& object : objects) parents.push_back(object.parent);
  const lb::LatePart part = lb::apply_late_part(then, decided, now, parents);
  const lb::Assignment& pe_of = part.decision.pe_of;
  Later found{lb::drift_of(part.sums, lb::percent_imbalance(now, pe_of)),
              std::vector<double>(now.pes.size())};
  for (std::size_t i = 0; i < objects.size(); ++i) found.pe_loads[pe_of[i]] += objects[i].load;
  return found;
}

/// The change of PEs in a step, on average over the added steps.
struct PeChange {
  int steps = 0;
  double changed = 0, change = 0;  // of PEs; of their loads

  void add(const std::vector<double>& before, const std::vector<double>& now) {
    double pes = 0, loads = 0, sum = 0;
    for (std::size_t pe = 0; pe < now.size(); ++pe) {
      pes += now[pe] != before[pe];
      loads += std::abs(now[pe] - before[pe]);
      sum += before[pe];
    }
    ++steps;
    changed += pes / static_cast<double>(now.size());
    change += loads / sum;
  }
};

/// Returns true for 1, 2, 5, 10, ...
bool shown(int step) {
  while (step % 10 == 0) step /= 10;
  return step == 1 || step == 2 || step == 5;
}

void play(const Options& options) {
  const ChangingLoad load = bench_lazy::make_load(options.kind, options.objects);
  const lb::Selection strategy = lb::parse_strategy(options.strategy);
  const lb::Snapshot then = snapshot_of(load.now(), options.pes);
  const lb::Decision decided = strategy.decide(then, 1);
  printf("%s, %zu objects on %u PEs, %s\n", options.kind.c_str(), then.object_count(), options.pes,
         options.strategy.c_str());
  printf("%6s %8s %9s %9s %8s %8s %13s %13s %12s %8s %8s %13s\n", "steps", "work %", "changed %", "change %",
         "gone", "come", "imbalance %", "not late %", "unchanged %", "a step %", "PEs %", "PEs change %");
  std::vector<Object> objects = load.now();
  const Loads at_first = loads_by_id(objects);
  Later late = later(then, decided, objects, then);
  PeChange pes;
  for (int step = 1; step <= options.steps; ++step) {
    load.step();
    const std::vector<Object> before = std::exchange(objects, load.now());
    const std::vector<double> pe_loads_before = std::move(late.pe_loads);
    const lb::Snapshot now = snapshot_of(objects, options.pes);
    late = later(then, decided, objects, now);
    pes.add(pe_loads_before, late.pe_loads);
    if (!shown(step)) continue;
    const std::vector<double> in_step = changes_since(loads_by_id(before), objects);
    printf("%6d %+8.1f %9.1f %9.1f %8llu %8llu %13.1f %13.1f %12.1f %8.1f %8.1f %13.2f\n", step,
           late.drift.work_percent, late.drift.changed_percent, late.drift.change_percent,
           static_cast<unsigned long long>(late.drift.gone), static_cast<unsigned long long>(late.drift.come),
           late.drift.imbalance_percent, lb::percent_imbalance(now, strategy.assign(now, 1)),
           percent_unchanged(changes_since(at_first, objects)), 100 * in_step[in_step.size() * 19 / 20],
           100 * pes.changed / pes.steps, 100 * pes.change / pes.steps);
    fflush(stdout);
    pes = {};
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    play(parse(argc, argv));
  } catch (const std::exception& error) {
    fprintf(stderr, "lazy_drift: %s\n", error.what());
    return 1;
  }
}
