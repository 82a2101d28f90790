// SPDX-License-Identifier: Apache-2.0
// Snapshots for tests: small ones written out, and random ones of many kinds, by seed.
#pragma once
#include <string>
#include <vector>

#include "lb/kernel/random.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::lb::test {

// Returns a snapshot of objects with these loads on these PEs; all PEs are alike.
inline Snapshot make_snapshot(std::size_t pe_count, const std::vector<double>& loads,
                              const std::vector<PeIndex>& pe) {
  Snapshot snapshot;
  snapshot.pes = uniform_pes(pe_count);
  for (std::size_t i = 0; i < loads.size(); ++i)
    snapshot.add_object({.id = i, .pe = pe[i], .load = loads[i], .bytes = 100});
  return snapshot;
}

// The features that a random snapshot may have; every combination is a kind of its own.
struct Kind {
  std::string name;
  std::size_t objects;
  std::size_t pes;
  double pinned_share = 0;
  bool mixed_speeds = false;
  bool background = false;
  enum Loads { uniform, zero, equal, one_heavy, power_law } loads = uniform;
};

inline std::vector<Kind> all_kinds() {
  return {
      {"no objects", 0, 3},
      {"one object", 1, 4},
      {"one PE", 20, 1},
      {"more PEs than objects", 5, 40},
      {"many objects", 500, 7},
      {"fine grain", 3000, 16},
      {"all pinned", 60, 5, 1.0},
      {"half pinned", 200, 8, 0.5},
      {"mixed speeds", 300, 9, 0, true},
      {"more speeds than queue groups", 400, 40, 0, true, true},
      {"background", 120, 6, 0, false, true},
      {"pinned, mixed speeds, background", 150, 11, 0.3, true, true},
      {"all loads zero", 50, 4, 0, false, false, Kind::zero},
      {"equal loads", 64, 8, 0, false, false, Kind::equal},
      {"one heavy object", 80, 8, 0, false, false, Kind::one_heavy},
      {"power law", 400, 12, 0.1, true, true, Kind::power_law},
  };
}

inline Snapshot make_snapshot(const Kind& kind, std::uint64_t seed) {
  Random random(seed);
  Snapshot snapshot;
  snapshot.pes = uniform_pes(kind.pes, 4);
  for (std::size_t p = 0; p < kind.pes; ++p) {
    if (kind.mixed_speeds) snapshot.pes.speed[p] = 0.5 + random.unit() * 2;
    if (kind.background) snapshot.pes.background_s[p] = random.unit();
  }
  for (std::size_t i = 0; i < kind.objects; ++i) {
    double load = 0;
    switch (kind.loads) {
      case Kind::uniform:
        load = random.unit();
        break;
      case Kind::zero:
        load = 0;
        break;
      case Kind::equal:
        load = 0.1;
        break;
      case Kind::one_heavy:
        load = i == 3 ? 50 : random.unit();
        break;
      case Kind::power_law:
        load = 1 / (0.001 + random.unit());
        break;
    }
    snapshot.add_object({.id = 1000 + i,
                         .pe = random.below(static_cast<std::uint32_t>(kind.pes)),
                         .load = load,
                         .bytes = random.below(1u << 20),
                         .migratable = random.unit() >= kind.pinned_share});
    const auto x = static_cast<float>(random.unit()), y = static_cast<float>(random.unit());
    snapshot.objects.position.push_back({x, y, 0});
  }
  std::vector<CommEdge> edges;
  for (std::size_t e = 0; e < 4 * kind.objects; ++e) {
    const auto n = static_cast<std::uint32_t>(kind.objects);
    edges.push_back({random.below(n), random.below(n), random.unit() * 1e4, 1 + random.below(9)});
  }
  snapshot.graph = make_comm_graph(kind.objects, edges);
  return snapshot;
}

}  // namespace skein::lb::test
