// SPDX-License-Identifier: Apache-2.0
#include "bench/lb/snapshots.hpp"

#include <cmath>
#include <vector>

#include "lb/kernel/random.hpp"

namespace bench {

using namespace skein::lb;

Snapshot make_snapshot(Size size, bool board) {
  Snapshot snapshot;
  snapshot.pes = uniform_pes(size.pes);
  Random random(kSeed);
  for (std::size_t i = 0; i < size.objects; ++i) {
    snapshot.add_object({.id = i,
                         .pe = static_cast<PeIndex>(i * size.pes / size.objects),
                         .load = random.unit(),
                         .bytes = 1024});
  }
  if (!board) return snapshot;
  const auto count = static_cast<ObjectIndex>(size.objects);
  const auto width = static_cast<ObjectIndex>(std::lround(std::sqrt(static_cast<double>(size.objects))));
  std::vector<CommEdge> edges;
  for (ObjectIndex i = 0; i < count; ++i) {
    snapshot.objects.position.push_back({static_cast<float>(i % width), static_cast<float>(i / width), 0});
    if (i % width + 1 < width && i + 1 < count) edges.push_back({i, i + 1, 1024});
    if (i + width < count) edges.push_back({i, i + width, 1024});
  }
  snapshot.graph = make_comm_graph(size.objects, edges);
  return snapshot;
}

bool needs_board(const Selection& selection) {
  return selection.info->traits & (needs_graph | needs_positions);
}

}  // namespace bench
