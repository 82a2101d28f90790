// SPDX-License-Identifier: Apache-2.0
#include "runtime/pe/output.hpp"

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/base/log.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::pe {
namespace {

struct OfRank {
  int rank = -1;  ///< -1: of none
  std::int64_t count = 0;
};

/// One event's counts, over the ranks of a PE or of all.
struct Extent {
  std::int64_t sum = 0;
  OfRank least, most;

  void add(const Extent& other) {
    sum += other.sum;
    if (least.rank < 0 || (other.least.rank >= 0 && other.least.count < least.count)) least = other.least;
    if (most.rank < 0 || (other.most.rank >= 0 && other.most.count > most.count)) most = other.most;
  }
};

Extent extent_here(std::size_t event) {
  Extent here;
  for (std::size_t id = 0; id < location->pe_of_rank.size(); ++id) {
    const int rank = static_cast<int>(id);
    if (!is_here(rank)) continue;
    const OfRank mine{rank, rank_in_slot(rank).meter.counters[event]};
    here.add({mine.count, mine, mine});
  }
  return here;
}

}  // namespace

void print_counted_events(std::span<const std::string> events) {
  std::vector<Extent> of_pes(static_cast<std::size_t>(net::world.pes));
  for (std::size_t event = 0; event < events.size(); ++event) {
    const Extent mine = extent_here(event);
    net::all_gather(&mine, sizeof mine, of_pes.data());
    Extent all;
    for (const Extent& each : of_pes) all.add(each);
    if (net::world.pe == 0)
      SKEIN_LOG(normal, "%s: %" PRId64 " in all ranks, from %" PRId64 " in rank %d to %" PRId64 " in rank %d",
                events[event].c_str(), all.sum, all.least.count, all.least.rank, all.most.count,
                all.most.rank);
  }
}

}  // namespace skein::pe
