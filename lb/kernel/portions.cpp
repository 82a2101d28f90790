// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/portions.hpp"

#include <algorithm>
#include <numeric>

#include "lb/kernel/finish_queue.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {

std::vector<double> movable_portions(const Pes& pes, double perfect, const std::vector<double>& pinned,
                                     double movable) {
  std::vector<double> portions = pinned;
  for (std::size_t p = 0; p < portions.size(); ++p)
    portions[p] = std::max(0.0, perfect - portions[p]) * pes.speed[p];
  const double sum = std::accumulate(portions.begin(), portions.end(), 0.0);
  for (double& portion : portions) portion = sum > 0 ? portion * (movable / sum) : 0;
  return portions;
}

std::vector<double> movable_portions(const Snapshot& snapshot) {
  double movable = 0;
  for (ObjectIndex i : movable_objects(snapshot.objects)) movable += snapshot.objects.load[i];
  return movable_portions(snapshot.pes, perfect_finish(snapshot), pinned_finish(snapshot), movable);
}

void cut_into_portions(const Objects& objects, std::span<const ObjectIndex> order,
                       std::span<const double> portions, Assignment& pe_of) {
  PeIndex pe = 0;
  double given = 0, end = portions[0];
  for (ObjectIndex i : order) {
    const double middle = given + objects.load[i] / 2;
    while (middle > end && pe + 1 < portions.size()) end += portions[++pe];
    pe_of[i] = pe;
    given += objects.load[i];
  }
}

std::vector<ObjectIndex> movable_objects(const Objects& objects) {
  std::vector<ObjectIndex> movable;
  for (ObjectIndex i = 0; i < objects.size(); ++i) {
    if (objects.migratable[i] && objects.load[i] > 0) movable.push_back(i);
  }
  return movable;
}

}  // namespace skein::lb
