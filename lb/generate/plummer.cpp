// SPDX-License-Identifier: Apache-2.0
// plummer: bodies of Plummer's sphere, dense in the middle and thin far out; bodies near each other interact.
//
// The sphere of radius a = 1 has the share r^3 / (1 + r^2)^(3/2) of its bodies within r of its centre; radii
// are drawn by inversion, r = (m^(-2/3) - 1)^(-1/2) with m uniform, and the outermost hundredth is left out:
// S. J. Aarseth, M. Henon, R. Wielen, "A comparison of numerical methods for the study of star cluster
// dynamics", Astronomy and Astrophysics 37 (1974). Two bodies interact that are within `cutoff` of each
// other: in the middle a body has about n cutoff^3 partners, far out (1 + r^2)^(-5/2) times as many.
//
// A body's load is 1 ms for itself and for each partner. A hyperedge of `bytes`, its position and mass, joins
// it with its partners, and it sends a message of that size to each. Bodies are on the PEs in blocks of equal
// number, in the order in which they are drawn, so that none is near another on purpose.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "lb/generate/define.hpp"
#include "lb/kernel/random.hpp"

namespace skein::lb {
namespace {

constexpr double kInteraction_s = 1e-3;
constexpr double kShareTaken = 0.99;

using Body = std::array<float, 3>;  // its position

Body draw_body(Random& random) {
  const double share = kShareTaken * (1 - random.unit());
  const double radius = 1 / std::sqrt(std::pow(share, -2.0 / 3) - 1);
  const double z = 2 * random.unit() - 1, angle = 2 * std::numbers::pi * random.unit();
  const double across = radius * std::sqrt(1 - z * z);
  return {static_cast<float>(across * std::cos(angle)), static_cast<float>(across * std::sin(angle)),
          static_cast<float>(radius * z)};
}

/// Calls use(i, j) once for each two bodies within `cutoff`. Sweeps along the first axis.
template <class Use>
void for_each_pair(const std::vector<Body>& bodies, double cutoff, Use use) {
  std::vector<ObjectIndex> order(bodies.size());
  std::iota(order.begin(), order.end(), ObjectIndex{0});
  std::ranges::stable_sort(order, {}, [&](ObjectIndex i) { return bodies[i][0]; });
  const auto apart = [&](ObjectIndex i, ObjectIndex j, std::size_t d) {
    return double{bodies[i][d]} - double{bodies[j][d]};
  };
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = a + 1; b < order.size() && apart(order[b], order[a], 0) <= cutoff; ++b) {
      double squared = 0;
      for (std::size_t d = 0; d < 3; ++d) squared += std::pow(apart(order[a], order[b], d), 2);
      if (squared <= cutoff * cutoff) use(order[a], order[b]);
    }
  }
}

}  // namespace

std::span<const Key> plummer_keys() {
  static constexpr Key keys[] = {
      real_key("cutoff", "0.3", 0, 100, "distance within which bodies interact, in radii of the sphere"),
      real_key("bytes", "32", 0, 1e12, "bytes of a message that describes a body to a partner"),
      integer_key("size", "64", 0, 1e15, "bytes of a body"),
  };
  return keys;
}

Snapshot generate_plummer(const GenerateSize& size, const Options& options) {
  Random random(size.seed);
  Snapshot snapshot;
  snapshot.pes = uniform_pes(size.pes, size.pes_per_node);
  std::vector<Hyperedge> hyperedges(size.objects);
  std::vector<CommEdge> edges;
  for (ObjectIndex i = 0; i < size.objects; ++i) {
    snapshot.objects.position.push_back(draw_body(random));
    hyperedges[i] = {{i}, options.real("bytes")};
  }
  for_each_pair(snapshot.objects.position, options.real("cutoff"), [&](ObjectIndex i, ObjectIndex j) {
    hyperedges[i].objects.push_back(j);
    hyperedges[j].objects.push_back(i);
    edges.push_back({i, j, options.real("bytes")});
    edges.push_back({j, i, options.real("bytes")});
  });
  for (std::size_t i = 0; i < size.objects; ++i)
    snapshot.add_object({.id = i,
                         .pe = static_cast<PeIndex>(i * size.pes / size.objects),
                         .load = kInteraction_s * static_cast<double>(hyperedges[i].objects.size()),
                         .bytes = static_cast<std::uint64_t>(options.integer("size"))});
  snapshot.graph = make_comm_graph(size.objects, edges);
  snapshot.hypergraph = make_hypergraph(size.objects, hyperedges);
  return snapshot;
}

}  // namespace skein::lb
