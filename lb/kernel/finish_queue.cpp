// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/finish_queue.hpp"

#include <algorithm>
#include <numeric>

namespace skein::lb {

std::vector<std::vector<PeIndex>> group_by_speed(const std::vector<double>& speed) {
  std::vector<PeIndex> order(speed.size());
  std::iota(order.begin(), order.end(), PeIndex{0});
  std::ranges::stable_sort(order, [&](PeIndex a, PeIndex b) { return speed[a] > speed[b]; });

  std::vector<std::vector<PeIndex>> groups;
  for (PeIndex pe : order) {
    if (groups.empty() || speed[groups.back().front()] != speed[pe]) groups.emplace_back();
    groups.back().push_back(pe);
  }
  if (groups.size() <= FinishQueue::kMaxGroups) return groups;

  groups.assign(FinishQueue::kMaxGroups, {});
  for (std::size_t k = 0; k < order.size(); ++k) {
    groups[k * FinishQueue::kMaxGroups / order.size()].push_back(order[k]);
  }
  return groups;
}

std::vector<double> pinned_finish(const Snapshot& snapshot) {
  const Objects& objects = snapshot.objects;
  std::vector<double> finish(snapshot.pe_count(), 0);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (!objects.migratable[i]) finish[objects.pe[i]] += objects.load[i];
  }
  for (std::size_t p = 0; p < finish.size(); ++p) {
    finish[p] = snapshot.pes.background_s[p] + finish[p] / snapshot.pes.speed[p];
  }
  return finish;
}

FinishQueue::FinishQueue(const Pes& pes, std::vector<double> finish) : finish_(std::move(finish)) {
  for (double speed : pes.speed) seconds_per_load_.push_back(1 / speed);
  for (std::vector<PeIndex>& members : group_by_speed(pes.speed)) {
    std::vector<double> keys;
    for (PeIndex pe : members) keys.push_back(finish_[pe]);
    groups_.push_back({std::move(members), LazyMinTree(keys), false});
  }
}

}  // namespace skein::lb
