// SPDX-License-Identifier: Apache-2.0
// sfc: objects in the order of a Hilbert curve through their positions, cut into one piece of load for each
// PE. Neighbours on the curve are neighbours in space, so pieces are compact, and a small change of loads
// moves the cuts a little: objects move between consecutive PEs.
//
// Looks at positions, loads, speeds, background. Wins where positions tell which objects communicate and
// loads change slowly; pieces have rougher borders than those of rcb, so they cut somewhat more. Each PE
// misses its portion by at most the load of one object. O(n log n). J. Skilling, "Programming the Hilbert
// curve", AIP Conference Proceedings 707 (2004), for the index of a point.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "lb/kernel/portions.hpp"
#include "lb/parallel/problem.hpp"
#include "lb/strategies/define.hpp"

namespace skein::lb {
namespace {

constexpr int kBits = 21;  // a dimension: three make an index of 63 bits

using GridCell = std::array<std::uint32_t, 3>;

/// Returns the index of a cell on the Hilbert curve: Skilling's transform to "transposed" form, whose bits
/// are then interleaved.
std::uint64_t hilbert_index(GridCell x) {
  for (std::uint32_t q = 1u << (kBits - 1); q > 1; q >>= 1) {
    const std::uint32_t below = q - 1;
    for (std::uint32_t& component : x) {
      if (component & q) {
        x[0] ^= below;
      } else {
        const std::uint32_t swapped = (x[0] ^ component) & below;
        x[0] ^= swapped;
        component ^= swapped;
      }
    }
  }
  x[1] ^= x[0];
  x[2] ^= x[1];
  std::uint32_t flips = 0;
  for (std::uint32_t q = 1u << (kBits - 1); q > 1; q >>= 1) {
    if (x[2] & q) flips ^= q - 1;
  }
  std::uint64_t index = 0;
  for (int bit = kBits - 1; bit >= 0; --bit) {
    for (std::uint32_t component : x) index = index << 1 | ((component ^ flips) >> bit & 1);
  }
  return index;
}

}  // namespace

std::span<const Key> sfc_keys() { return {}; }

Assignment assign_sfc(const Snapshot& snapshot, const Options&, std::uint64_t) {
  const Objects& objects = snapshot.objects;
  std::array<float, 3> low, high;
  low.fill(std::numeric_limits<float>::max());
  high.fill(std::numeric_limits<float>::lowest());
  for (const auto& position : objects.position) {
    for (int d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], position[d]);
      high[d] = std::max(high[d], position[d]);
    }
  }
  // One scale for all dimensions: cells must be cubes, or the curve would prefer a slab's short side.
  double extent = 0;
  for (int d = 0; d < 3; ++d) extent = std::max(extent, double{high[d]} - low[d]);
  const double scale = extent > 0 ? ((1u << kBits) - 1) / extent : 0;

  std::vector<std::pair<std::uint64_t, ObjectIndex>> keyed;
  for (ObjectIndex i : movable_objects(objects)) {
    GridCell cell;
    for (int d = 0; d < 3; ++d) {
      cell[d] = static_cast<std::uint32_t>((double{objects.position[i][d]} - low[d]) * scale);
    }
    keyed.emplace_back(hilbert_index(cell), i);
  }
  std::ranges::sort(keyed);
  std::vector<ObjectIndex> order;
  for (const auto& [index, object] : keyed) order.push_back(object);

  Assignment pe_of = objects.pe;
  cut_into_portions(objects, order, movable_portions(snapshot), pe_of);
  return pe_of;
}

Assignment assign_part_sfc(const SnapshotPart& part, const Options&, std::uint64_t seed, Team& team) {
  return partition_by_position(Flavour::curve, part, seed, team);
}

}  // namespace skein::lb
