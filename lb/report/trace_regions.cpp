// SPDX-License-Identifier: Apache-2.0
#include "trace_regions.hpp"

#include <algorithm>

namespace skein::report {
namespace {

constexpr std::size_t kMostLanes = 6;  // nested ones; deeper ones would be too thin to be seen
constexpr std::size_t kMostInLane = 500'000;

}  // namespace

void TraceRegions::add(trace::ObjectIndex object, const trace::Event& event, std::uint64_t now_ns) {
  const auto passed = parts_.add(event);
  if (!passed) return;
  if (passed->begins) return begin(passed->name, now_ns);
  const auto open = std::ranges::find(open_, passed->name, &OpenRegion::name);
  end(object, *open, now_ns);
  open_.erase(open);
}

/// Opens the region in the first free lane: regions that overlap without nesting get different lanes, too.
void TraceRegions::begin(std::uint64_t name, std::uint64_t now_ns) {
  std::size_t lane = 0;
  while (std::ranges::find(open_, lane, &OpenRegion::lane) != open_.end()) ++lane;
  open_.push_back({name, lane, now_ns});
}

void TraceRegions::end(trace::ObjectIndex object, const OpenRegion& open, std::uint64_t now_ns) {
  if (open.lane >= kMostLanes) {
    too_deep_ = true;
    return;
  }
  while (lanes_.size() <= open.lane) lanes_.emplace_back(kMostInLane, 0, false);
  if (now_ns > open.begin_ns)
    lanes_[open.lane].add({object, static_cast<std::uint32_t>(open.name), open.begin_ns, now_ns});
}

void TraceRegions::end_object(trace::ObjectIndex object, std::uint64_t now_ns) {
  for (const OpenRegion& open : open_) end(object, open, now_ns);
  open_.clear();
  for (const std::uint64_t name : parts_.seen()) {
    const auto& sums = parts_.sums(name);
    sums_.push_back({object, static_cast<std::uint32_t>(name), sums.times,
                     static_cast<double>(sums.compute_ns) * 1e-9, static_cast<double>(sums.call_ns) * 1e-9});
  }
  parts_.end_object(object);
}

void TraceRegions::finish(Run& run) {
  if (sums_.empty()) return;
  const std::span<const std::string> names = trace_.names();
  run.names.assign(names.begin(), names.end());
  run.region_sums = std::move(sums_);
  std::uint64_t joined_ns = 0;
  for (Spans& lane : lanes_) {
    lane.finish();
    if (lane.thinned()) joined_ns = std::max(joined_ns, lane.join_below_ns());
    run.regions.push_back(lane.take_spans());
  }
  const auto note = [&](const std::string& text) {
    run.timeline_note += (run.timeline_note.empty() ? "" : " ") + text;
  };
  if (joined_ns > 0)
    note("Regions with less than " + std::to_string(joined_ns / 1000) +
         " us between them are drawn as one, which is the longest of them: there are too many.");
  if (too_deep_)
    note("Nested regions are drawn down to " + std::to_string(kMostLanes) +
         " levels; the table has the others, too.");
}

}  // namespace skein::report
