// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include "lb/trace/coarsen/comparable.hpp"

namespace skein::trace {
namespace {

/// Bytes that differ by less, in parts of all, tell nothing of borders.
constexpr double kLeastDifference = 0.01;

struct Run {
  double work_ns = 0;
  double bytes = 0;     // that ranks send each other
  double crossing = 0;  // those between coarse ranks
};

Run sum_up(const Trace& trace, const CoarseMap* map) {
  Run run;
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    Cursor cursor = trace.events(object);
    while (const Event* const event = cursor.next()) {
      run.work_ns += static_cast<double>(event->burst_ns);
      if (event->kind != EventKind::send || event->partner < 0) continue;
      const auto to = static_cast<ObjectIndex>(event->partner);
      if (to == object) continue;
      run.bytes += static_cast<double>(event->bytes);
      if (map && map->coarse_of[to] != map->coarse_of[object])
        run.crossing += static_cast<double>(event->bytes);
    }
  }
  return run;
}

std::uint64_t syncs_of_first(const Trace& trace) {
  std::uint64_t syncs = 0;
  if (trace.object_count() == 0) return 0;
  Cursor cursor = trace.events(0);
  while (const Event* const event = cursor.next()) syncs += event->kind == EventKind::sync;
  return syncs;
}

}  // namespace

void coarse::cannot_compare(const std::string& because) {
  throw TraceError("it cannot be compared with the trace of another decomposition: " + because);
}

void coarse::check_comparable(const Trace& fine, const CoarseMap& map, const Trace& other) {
  if (fine.header().native || other.header().native)
    cannot_compare("native programs have no ranks to be joined");
  if (map.coarse_of.size() != fine.object_count())
    cannot_compare("the map is for " + std::to_string(map.coarse_of.size()) + " ranks, and the trace has " +
                   std::to_string(fine.object_count()));
  const std::uint64_t here = syncs_of_first(fine), there = syncs_of_first(other);
  if (here != there)
    cannot_compare("they have " + std::to_string(here) + " and " + std::to_string(there) +
                   " sync points; record the same run with another number of ranks");
}

WorkLeft work_left(const Trace& fine, const CoarseMap& map, const Trace& other) {
  coarse::check_comparable(fine, map, other);
  const Run here = sum_up(fine, &map), there = sum_up(other, nullptr);
  if (std::abs(here.bytes - there.bytes) <= kLeastDifference * here.bytes)
    coarse::cannot_compare(
        "in both ranks send each other as many bytes; record it with another number of ranks, best between "
        "the fine and the coarse one");
  const double of_byte = (here.work_ns - there.work_ns) / (here.bytes - there.bytes);
  WorkLeft shared = work_left(fine, map);
  if (of_byte <= 0) return shared;
  const double left = here.work_ns - of_byte * (here.bytes - here.crossing);
  if (left <= 0)
    coarse::cannot_compare(
        "by what its ranks do more than theirs, coarse ones would have no work at all, so the two differ in "
        "more than borders");
  shared.all = left / here.work_ns;
  for (std::vector<double>& parts : shared.parts)
    for (double& part : parts) part *= shared.all;
  return shared;
}

}  // namespace skein::trace
