// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/measured_objects.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace skein::lb {

Snapshot make_snapshot(const Measurements& measured) {
  Snapshot snapshot;
  snapshot.pes = uniform_pes(measured.node_of_pe.size());
  snapshot.pes.node.assign(measured.node_of_pe.begin(), measured.node_of_pe.end());
  if (!measured.speed_of_pe.empty())
    snapshot.pes.speed.assign(measured.speed_of_pe.begin(), measured.speed_of_pe.end());
  for (const MeasuredObject& one : measured.objects)
    snapshot.add_object(
        {.id = one.id, .pe = one.pe, .load = one.load, .bytes = one.bytes, .migratable = one.may_move});

  Objects& objects = snapshot.objects;
  const auto has_position = [](const MeasuredObject& one) { return one.position || one.ended; };
  // The position of an object that has ended does not matter.
  if (std::ranges::all_of(measured.objects, has_position))
    for (const MeasuredObject& one : measured.objects)
      objects.position.push_back(one.position.value_or(std::array<float, 3>{}));
  if (std::ranges::any_of(measured.objects, &MeasuredObject::divisible))
    for (const MeasuredObject& one : measured.objects) objects.splittable.push_back(one.divisible);
  if (std::ranges::any_of(measured.objects, [](const auto& one) { return one.level != kNoLevel; }))
    for (const MeasuredObject& one : measured.objects) objects.level.push_back(one.level);
  if (measured.loads_are_events) {
    objects.counter_count = 1;
    for (const MeasuredObject& one : measured.objects)
      objects.counters.push_back(static_cast<float>(one.load));
  }
  if (measured.edges) snapshot.graph = make_comm_graph(measured.objects.size(), *measured.edges);
  if (measured.topology) snapshot.topology = *measured.topology;
  return snapshot;
}

void take_from_other_pes(std::span<MeasuredObject> objects, std::size_t pes, std::span<const double> speed) {
  std::vector<double> loads(pes, 0.0);
  std::vector<MeasuredObject*> homeless;
  for (MeasuredObject& one : objects)
    if (one.pe < pes)
      loads[one.pe] += one.load;
    else
      homeless.push_back(&one);
  if (homeless.empty()) return;
  using Finish = std::pair<double, PeIndex>;
  std::priority_queue<Finish, std::vector<Finish>, std::greater<>> first;
  const auto time_of = [&](double load, PeIndex pe) { return speed.empty() ? load : load / speed[pe]; };
  for (PeIndex pe = 0; pe < pes; ++pe) first.emplace(time_of(loads[pe], pe), pe);
  std::ranges::stable_sort(homeless, std::greater(), &MeasuredObject::load);
  for (MeasuredObject* const one : homeless) {
    const auto [finish, pe] = first.top();
    first.pop();
    one->pe = pe;
    first.emplace(finish + time_of(one->load, pe), pe);
  }
}

}  // namespace skein::lb
