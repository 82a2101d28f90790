// SPDX-License-Identifier: Apache-2.0
// Makes a graph uneven: weights of its vertices, and their first owners.
#pragma once

#include "graph.hpp"

namespace graph {

/// Kinds of weights, whose mean is 1:
///   even; hotspot: around a point drawn at random (1 + contrast) times those far away; gradient: rising to
///   (1 + contrast) times along the first axis; halves: (1 + contrast) times on one side of the middle;
///   random: some up to (1 + contrast) times others, most little
inline constexpr const char* weight_kinds[] = {"even", "hotspot", "gradient", "halves", "random"};
/// Returns weights of a kind; without positions only even and random. Throws std::invalid_argument.
std::vector<double> make_weights(const std::string& kind, const Graph& graph, double contrast,
                                 std::uint64_t seed);

/// Kinds of first decompositions, which divide the number of vertices:
///   boxes: recursive coordinate bisection; blocks: in the order of numbers; skewed: boxes whose cuts are off
///   by up to skew / 2 of the part at random; near: boxes, where process 1 takes part `skew` of process 0's;
///   far: blocks, with all borders moved so that the last process has as much more; scattered: drawn at
///   random
inline constexpr const char* decomposition_kinds[] = {"boxes", "blocks", "skewed",
                                                      "near",  "far",    "scattered"};
/// Returns the first owner of each vertex. Without positions blocks take the place of boxes.
std::vector<int> decompose(const std::string& kind, const Graph& graph, int processes, double skew,
                           std::uint64_t seed);

/// Returns equation 1 of Pearce et al.: (largest load of a process / mean - 1) x 100.
double imbalance_percent(std::span<const double> weights, std::span<const int> owner, int processes);

}  // namespace graph
