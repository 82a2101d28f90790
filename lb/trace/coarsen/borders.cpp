// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include "skein/lb/coarsen.hpp"

namespace skein::trace {
namespace {

// Bytes that differ by less, in parts of all, tell nothing of borders.
constexpr double kLeastDifference = 0.01;

struct Run {
  std::uint64_t syncs = 0;  // of the first rank
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
      run.syncs += event->kind == EventKind::sync && object == 0;
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

[[noreturn]] void fail(const std::string& because) {
  throw TraceError("it cannot be compared with the trace of another decomposition: " + because);
}

}  // namespace

WorkLeft work_left(const Trace& fine, const CoarseMap& map, const Trace& other) {
  if (fine.header().native || other.header().native) fail("native programs have no ranks to be joined");
  if (map.coarse_of.size() != fine.object_count())
    fail("the map is for " + std::to_string(map.coarse_of.size()) + " ranks, and the trace has " +
         std::to_string(fine.object_count()));
  const Run here = sum_up(fine, &map), there = sum_up(other, nullptr);
  if (here.syncs != there.syncs)
    fail("they have " + std::to_string(here.syncs) + " and " + std::to_string(there.syncs) +
         " sync points; record the same run with another number of ranks");
  if (std::abs(here.bytes - there.bytes) <= kLeastDifference * here.bytes)
    fail(
        "in both ranks send each other as many bytes; record it with another number of ranks, best between "
        "the fine and the coarse one");
  const double of_byte = (here.work_ns - there.work_ns) / (here.bytes - there.bytes);
  if (of_byte <= 0) return {};
  const double left = here.work_ns - of_byte * (here.bytes - here.crossing);
  if (left <= 0)
    fail(
        "by what its ranks do more than theirs, coarse ones would have no work at all, so the two differ in "
        "more than borders");
  return {.all = left / here.work_ns};
}

}  // namespace skein::trace
