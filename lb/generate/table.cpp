// SPDX-License-Identifier: Apache-2.0
// The table of synthetic snapshots. To add one: a file beside this that defines <identifier>_keys and
// generate_<identifier> (see define.hpp), a test, and a line here.
#include <array>

#include "lb/generate/define.hpp"

// clang-format off
#define SKEIN_LB_GENERATORS(X) \
  X(mesh2d,    "mesh2d",    "a mesh of objects that talk to their 4 neighbours; load piles up at hot spots") \
  X(mesh3d,    "mesh3d",    "the same in three dimensions, with 6 neighbours") \
  X(power_law, "power-law", "few objects carry most of the load, few receive most of the messages") \
  X(pattern_a, "pattern-a", "a row of PEs that all have the mean") \
  X(pattern_b, "pattern-b", "a row of PEs, the first over the mean, the next one under it, and so on") \
  X(pattern_c, "pattern-c", "a row of PEs at the mean, but for the first, under it, and the second, over it") \
  X(pattern_d, "pattern-d", "the same loads, but the first PE is under the mean and the last one over it") \
  X(samr,      "samr",      "a tree of grids, refined around a point: structured adaptive mesh refinement") \
  X(kneighbor, "kneighbor", "a ring of objects that talk to their 14 neighbours") \
  X(plummer,   "plummer",   "bodies, dense in the middle and thin far out, of which near ones interact: hyperedges")
// clang-format on

namespace skein::lb {

SKEIN_LB_GENERATORS(SKEIN_LB_DECLARE_GENERATOR)

std::span<const GeneratorInfo> generators() {
#define SKEIN_LB_ENTRY(identifier, name, summary) \
  GeneratorInfo{name, summary, identifier##_keys(), generate_##identifier},
  static const auto table = std::to_array({SKEIN_LB_GENERATORS(SKEIN_LB_ENTRY)});
#undef SKEIN_LB_ENTRY
  return table;
}

}  // namespace skein::lb
