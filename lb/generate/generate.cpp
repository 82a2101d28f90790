// SPDX-License-Identifier: Apache-2.0
// The table of synthetic snapshots; turns a user's text into a Generator. To add a kind, write a file beside
// this one that defines <identifier>_keys and generate_<identifier> (see define.hpp), a test, and a line
// here.
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "lb/generate/define.hpp"
#include "skein/lb/nearest.hpp"

// clang-format off
#define SKEIN_LB_GENERATORS(X) \
  X(mesh2d,    "mesh2d",    "a mesh of objects that send messages to their 4 neighbours; load piles up at hot spots") \
  X(mesh3d,    "mesh3d",    "mesh2d in three dimensions, with 6 neighbours") \
  X(power_law, "power-law", "few objects carry most of the load, and few receive most of the messages") \
  X(pattern_a, "pattern-a", "a row of PEs that all have the mean load") \
  X(pattern_b, "pattern-b", "a row of PEs, alternately above and below the mean load") \
  X(pattern_c, "pattern-c", "a row of PEs with the mean load, except the first (below it) and the second (above it)") \
  X(pattern_d, "pattern-d", "a row of PEs with the mean load, except the first (below it) and the last (above it)") \
  X(samr,      "samr",      "a tree of grids, refined around a point: structured adaptive mesh refinement") \
  X(kneighbor, "kneighbor", "a ring of objects that send messages to their 14 neighbours") \
  X(plummer,   "plummer",   "bodies, dense in the middle and sparse outside; near bodies interact: hyperedges")
// clang-format on

namespace skein::lb {

SKEIN_LB_GENERATORS(SKEIN_LB_DECLARE_GENERATOR)

namespace {

const GeneratorInfo& find_generator(std::string_view name) {
  if (const GeneratorInfo* const known = find_named(generators(), name)) return *known;
  throw GenerateError("unknown kind " + quoted(name) + valid_names(name, names_of(generators())));
}

}  // namespace

std::span<const GeneratorInfo> generators() {
#define SKEIN_LB_ENTRY(identifier, name, summary) \
  GeneratorInfo{name, summary, identifier##_keys(), generate_##identifier},
  static const auto table = std::to_array({SKEIN_LB_GENERATORS(SKEIN_LB_ENTRY)});
#undef SKEIN_LB_ENTRY
  return table;
}

Generator parse_generator(std::string_view text) {
  const std::size_t end = std::min(text.find(':'), text.size());
  const GeneratorInfo& info = find_generator(text.substr(0, end));
  try {
    return {&info, parse_keys("kind '" + std::string(info.name) + "'", info.keys, text.substr(end))};
  } catch (const StrategyError& error) {
    throw GenerateError(error.what());
  }
}

Snapshot Generator::generate(const GenerateSize& size) const {
  constexpr std::size_t most = std::numeric_limits<ObjectIndex>::max();
  if (size.objects == 0 || size.pes == 0 || size.objects > most || size.pes > most)
    throw GenerateError("there must be from 1 to 2^32 - 1 objects and PEs");
  return info->generate(size, options);
}

}  // namespace skein::lb
