// SPDX-License-Identifier: Apache-2.0
// Loads that change from step to step, to measure decisions that come late.
//
//   bodies        the bodies of apps/barneshut, a Plummer sphere; a body's load is its interactions.
//   dislocations  the segments of apps/dislocations, many Frank-Read sources in a box that grows with their
//                 number; a segment's load is the stresses that are computed for it. Segments come and go.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace bench_lazy {

struct Object {
  std::uint64_t id;      // 0, 1, ... in the order in which they come
  std::uint64_t parent;  // the object of the start that it stems from; itself if it was there then
  std::uint64_t from;    // the object that it was cut off; itself if none
  std::array<float, 3> place;
  double load;
};

// `now()` are the objects, `step()` lets a step pass. `hypergraph()` are sampled interactions of the objects
// of now(), by their places there: a body's load is a set of interactions that it stands for, and a few of
// these, taken at random, join the body to all others that interact with the same cell or leaf of the tree,
// as a leaf joins its bodies. It is empty for dislocations.
struct ChangingLoad {
  std::function<std::vector<Object>()> now;
  std::function<void()> step;
  std::function<skein::lb::Hypergraph()> hypergraph;
};

// Throws std::invalid_argument if there is no such kind.
ChangingLoad make_load(const std::string& kind, std::size_t objects);

}  // namespace bench_lazy
