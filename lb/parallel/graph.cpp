// SPDX-License-Identifier: Apache-2.0
#include "lb/parallel/graph.hpp"

#include <algorithm>

#include "skein/lb/team_messages.hpp"

namespace skein::lb {
namespace {

struct ObjectLink {
  ObjectIndex of, to;
  double bytes;
};

}  // namespace

/// In each direction there is one edge at most, so that both ends add up the same two numbers.
PartNeighbours part_neighbours(const SnapshotPart& part, Team& team) {
  const ObjectIndex first = part.first[team.rank()];
  std::vector<ObjectLink> links;
  Lists<ObjectLink> to_others(team.size());
  for (ObjectIndex i = 0; i < part.object_count() && !part.graph.empty(); ++i) {
    const ObjectIndex own = first + i;
    for (std::uint64_t e = part.graph.first[i]; e < part.graph.first[i + 1]; ++e) {
      const ObjectIndex to = part.graph.to[e];
      if (to == own) continue;
      links.push_back({own, to, part.graph.bytes[e]});
      to_others[part.process_of(to)].push_back({to, own, part.graph.bytes[e]});
    }
  }
  for (const auto& came : exchange_lists(to_others, team))
    links.insert(links.end(), came.begin(), came.end());
  std::ranges::sort(links, {}, [](const ObjectLink& link) { return std::pair(link.of, link.to); });

  PartNeighbours rows;
  rows.first.push_back(0);
  std::size_t at = 0;
  for (ObjectIndex i = 0; i < part.object_count(); ++i) {
    for (; at < links.size() && links[at].of == first + i; ++at) {
      if (rows.to.size() > rows.first.back() && rows.to.back() == links[at].to) {
        rows.bytes.back() += links[at].bytes;
      } else {
        rows.to.push_back(links[at].to);
        rows.bytes.push_back(links[at].bytes);
      }
    }
    rows.first.push_back(rows.to.size());
  }
  return rows;
}

}  // namespace skein::lb
