// SPDX-License-Identifier: Apache-2.0
// lazy_drift: how far a load is from what a decision was made for, over the steps since it was made.
//
// usage: lazy_drift bodies|segments [--objects N] [--pes P] [--steps N] [--strategy NAME]
//
// The loads are those of changing_load.hpp. O. Pearce et al. found of bodies, on 8,192 processes: total work
// within 5 %, half of them unchanged; of dislocations, on 2,048: imbalance at most 7 %.
//
// A strategy decides by the loads of the first step; what it decided is applied to each later one as a late
// decision is (skein/lb/late.hpp). Imbalance of a decision that is not late stands beside it; then the
// objects whose load is still the same to the digit, and how much from one step to the next the loads of all
// but a twentieth change at most.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <unordered_map>
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

/// As many neighbours in the list on each PE.
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

/// |change| / load of each object that was there before, rising.
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

/// 1, 2, 5, 10, ...
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
  printf("%6s %8s %9s %9s %8s %8s %13s %13s %12s %8s\n", "steps", "work %", "changed %", "change %", "gone",
         "come", "imbalance %", "not late %", "unchanged %", "a step %");
  const Loads at_first = loads_by_id(load.now());
  for (int step = 1; step <= options.steps; ++step) {
    const Loads before = shown(step) ? loads_by_id(load.now()) : Loads();
    load.step();
    if (!shown(step)) continue;
    const std::vector<Object> objects = load.now();
    const std::vector<double> in_step = changes_since(before, objects);
    const lb::Snapshot now = snapshot_of(objects, options.pes);
    std::vector<std::uint64_t> parents;
    for (const Object& object : objects) parents.push_back(object.parent);
    const lb::LateDrift drift = lb::apply_late(then, decided, now, parents).drift;
    printf("%6d %+8.1f %9.1f %9.1f %8llu %8llu %13.1f %13.1f %12.1f %8.1f\n", step, drift.work_percent,
           drift.changed_percent, drift.change_percent, static_cast<unsigned long long>(drift.gone),
           static_cast<unsigned long long>(drift.come), drift.imbalance_percent,
           lb::percent_imbalance(now, strategy.assign(now, 1)),
           percent_unchanged(changes_since(at_first, objects)), 100 * in_step[in_step.size() * 19 / 20]);
    fflush(stdout);
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
