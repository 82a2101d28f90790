// SPDX-License-Identifier: Apache-2.0
// drifting-mesh: a square mesh with a hot spot that moves from step to step, in the placement of the previous
// step: object i at column i % width, row i / width exchanges messages with its neighbours, and costs
//     1 + `heat` exp(-d^2 / `radius`^2),
// d its distance from the spot in widths of the mesh. In step s the spot is at column 1/4 + `drift` s, in the
// middle of the rows.
//
// Objects start in blocks of rows; a caller that plays several steps puts the assignment of one step into the
// snapshot of the next (bench/lb/bench_graph.cpp).
#include <cmath>
#include <string>

#include "lb/generate/define.hpp"

namespace skein::lb {
std::span<const Key> drifting_mesh_keys() {
  static constexpr Key keys[] = {
      integer_key("step", "0", 0, 1e9, "steps by which the spot has moved"),
      real_key("drift", "0.01", 0, 1, "distance that the spot moves in a step, in widths of the mesh"),
      real_key("heat", "4", 0, 1e6, "load in the middle of the spot, in addition to the 1 of each object"),
      real_key("radius", "0.15", 0.001, 10, "radius of the spot, in widths of the mesh"),
      real_key("bytes", "1024", 1, 1e12, "bytes of a message; one goes each way in each step"),
  };
  return keys;
}

Snapshot generate_drifting_mesh(const GenerateSize& size, const Options& options) {
  const auto width = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(size.objects))));
  if (width * width != size.objects) {
    throw GenerateError("kind 'drifting-mesh': " + std::to_string(size.objects) +
                        " objects are no square; the nearest is " + std::to_string(width * width));
  }
  const auto step = options.integer("step");
  const double heat = options.real("heat"), radius = options.real("radius"), bytes = options.real("bytes");
  // Beyond the edge the spot comes in again on the other side.
  const double centre = std::fmod(0.25 + options.real("drift") * static_cast<double>(step), 1.0);
  Snapshot snapshot;
  snapshot.step = static_cast<std::uint64_t>(step);
  snapshot.pes = uniform_pes(size.pes, size.pes_per_node);
  std::vector<CommEdge> edges;
  for (std::size_t i = 0; i < size.objects; ++i) {
    const std::size_t column = i % width, row = i / width;
    const double side = static_cast<double>(width);
    const double x = static_cast<double>(column) / side - centre, y = static_cast<double>(row) / side - 0.5;
    snapshot.add_object({.id = i,
                         .pe = static_cast<PeIndex>(i * size.pes / size.objects),
                         .load = 1 + heat * std::exp(-(x * x + y * y) / (radius * radius)),
                         .bytes = 8192});
    snapshot.objects.position.push_back({static_cast<float>(column), static_cast<float>(row), 0});
    const auto exchange = [&](std::size_t other) {
      edges.push_back({static_cast<ObjectIndex>(i), static_cast<ObjectIndex>(other), bytes});
      edges.push_back({static_cast<ObjectIndex>(other), static_cast<ObjectIndex>(i), bytes});
    };
    if (column + 1 < width) exchange(i + 1);
    if (row + 1 < width) exchange(i + width);
  }
  snapshot.graph = make_comm_graph(size.objects, edges);
  return snapshot;
}

}  // namespace skein::lb
