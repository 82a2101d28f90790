// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "skein/lb/trace_beginning.hpp"

namespace skein::trace {
namespace {

// What an object makes, and how many sync points it has passed itself by then.
struct Making {
  ObjectIndex made;
  std::uint64_t passed;
};

// What objects do about sync points, by object.
struct Lives {
  std::vector<std::uint64_t> passes;
  std::vector<std::vector<Making>> makings;
  std::vector<bool> is_made;
};

Lives lives_of(const Trace& trace) {
  const std::size_t objects = trace.object_count();
  Lives lives{std::vector<std::uint64_t>(objects), std::vector<std::vector<Making>>(objects),
              std::vector<bool>(objects)};
  for (ObjectIndex object = 0; object < objects; ++object) {
    Cursor cursor = trace.events(object);
    while (const Event* event = cursor.next()) {
      lives.passes[object] += event->kind == EventKind::sync;
      if (event->kind != EventKind::create && event->kind != EventKind::split) continue;
      const auto made = static_cast<ObjectIndex>(event->partner);
      if (made >= objects || lives.is_made[made]) continue;
      lives.is_made[made] = true;
      lives.makings[object].push_back({made, lives.passes[object]});
    }
  }
  return lives;
}

std::vector<std::uint64_t> first_points_of(const Lives& lives) {
  std::vector<std::uint64_t> first(lives.passes.size());
  std::vector<ObjectIndex> makers;
  for (ObjectIndex object = 0; object < first.size(); ++object)
    if (!lives.is_made[object]) makers.push_back(object);
  while (!makers.empty()) {
    const ObjectIndex maker = makers.back();
    makers.pop_back();
    for (const Making& each : lives.makings[maker]) {
      first[each.made] = first[maker] + each.passed;
      makers.push_back(each.made);
    }
  }
  return first;
}

}  // namespace

std::vector<std::uint64_t> first_points(const Trace& trace) {
  if (!trace.header().native) return std::vector<std::uint64_t>(trace.object_count());
  return first_points_of(lives_of(trace));
}

std::uint64_t sync_points(const Trace& trace) {
  if (trace.object_count() == 0) return 0;
  const Lives lives = lives_of(trace);
  if (!trace.header().native) return std::ranges::min(lives.passes);
  const std::vector<std::uint64_t> first = first_points_of(lives);
  std::uint64_t most = 0;
  for (ObjectIndex object = 0; object < first.size(); ++object)
    most = std::max(most, first[object] + lives.passes[object]);
  return most;
}

}  // namespace skein::trace
