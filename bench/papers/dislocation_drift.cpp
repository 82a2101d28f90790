// SPDX-License-Identifier: Apache-2.0
// dislocation_drift: how far the loads of apps/dislocations drift from what they were decided by.
//
// usage: dislocation_drift PES STEPS [OPTION OF dislocations...]
//
// Elements are segments, their loads the stresses that are computed for them. At the first step rcb places
// them; each later step has A'(v) of O. Pearce et al., MPMD Framework: the place decided for what was there,
// and for a segment that was cut off another, that one's. A line for each step:
//
//   step, the work in per cent of the first step's, segments, the PEs whose load is not that of the step
//   before in per cent, the mean change of the loads of PEs in per cent, the imbalance of A', and that of rcb
//   anew
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "apps/common/command_line.hpp"
#include "apps/dislocations/crystal.hpp"
#include "skein/lb/metrics.hpp"
#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace lb = skein::lb;
using namespace dislocations;

namespace {

using Places = std::map<NodeId, lb::PeIndex>;

/// Of all segments; `places`: where they are.
lb::Snapshot snapshot_of(const Crystal& crystal, const Places& places, std::uint32_t pes) {
  lb::Snapshot snapshot;
  snapshot.pes = lb::uniform_pes(pes);
  for (const auto& [id, node] : crystal.nodes()) {
    if (node.next.id == 0) continue;
    snapshot.add_object({.id = id, .pe = places.at(id), .load = static_cast<double>(node.evaluations)});
    snapshot.objects.position.push_back(
        {static_cast<float>(node.x.x), static_cast<float>(node.x.y), static_cast<float>(node.x.z)});
  }
  return snapshot;
}

/// New nodes go where the ones are that they were cut off. Others stay known, since new ones may ask for
/// them.
void place_new(const Crystal& crystal, Places& places) {
  for (const auto& [id, node] : crystal.nodes()) places.try_emplace(id, places.at(node.parent));
}

std::vector<double> loads_of(const lb::Snapshot& snapshot, std::uint32_t pes) {
  std::vector<double> loads(pes);
  for (std::size_t k = 0; k < snapshot.object_count(); ++k)
    loads[snapshot.objects.pe[k]] += snapshot.objects.load[k];
  return loads;
}

struct Change {
  double pes_percent = 0, mean_percent = 0;
};

Change change_of(const std::vector<double>& before, const std::vector<double>& now) {
  double changed = 0, change = 0, sum = 0;
  for (std::size_t pe = 0; pe < now.size(); ++pe) {
    changed += now[pe] != before[pe];
    change += std::abs(now[pe] - before[pe]);
    sum += before[pe];
  }
  return {100 * changed / static_cast<double>(now.size()), 100 * change / sum};
}

void play(const Parameters& parameters, std::uint32_t pes, int steps) {
  const lb::Selection rcb = lb::parse_strategy("rcb");
  Crystal crystal(parameters);
  crystal.attract();
  Places places;
  for (const auto& [id, node] : crystal.nodes()) places[id] = 0;
  lb::Snapshot snapshot = snapshot_of(crystal, places, pes);
  const auto decided = rcb.assign(snapshot, 1);
  for (std::size_t k = 0; k < snapshot.object_count(); ++k) places[snapshot.objects.id[k]] = decided[k];
  std::vector<double> before = loads_of(snapshot_of(crystal, places, pes), pes);
  double first = 0;
  for (const double load : before) first += load;
  for (int step = 1; step <= steps; ++step) {
    crystal.advance();
    place_new(crystal, places);
    crystal.attract();
    snapshot = snapshot_of(crystal, places, pes);
    const std::vector<double> now = loads_of(snapshot, pes);
    double work = 0, most = 0;
    for (const double load : now) work += load, most = std::max(most, load);
    const Change change = change_of(before, now);
    std::printf("%d %.3f %zu %.2f %.3f %.3f %.3f\n", step, 100 * work / first, snapshot.object_count(),
                change.pes_percent, change.mean_percent, 100 * (most * pes / work - 1),
                lb::percent_imbalance(snapshot, rcb.assign(snapshot, 1)));
    before = now;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2 || std::atoi(words[0].c_str()) < 1 || std::atoi(words[1].c_str()) < 1) {
    std::fprintf(stderr, "usage: dislocation_drift PES STEPS [OPTION OF dislocations...]\n");
    return 2;
  }
  const int pes = std::atoi(words[0].c_str()), steps = std::atoi(words[1].c_str());
  words.erase(words.begin(), words.begin() + 2);
  CommandLine line;
  CLI::App app("How the loads of dislocations drift.", "dislocation_drift");
  declare(app, line);
  try {
    if (const auto status = apps::read(
            app, words, [&] { check(line.parameters); }, ""))
      return *status;
    play(line.parameters, static_cast<std::uint32_t>(pes), steps);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dislocation_drift: %s\n", error.what());
    return 1;
  }
}
