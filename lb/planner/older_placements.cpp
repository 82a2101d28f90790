// SPDX-License-Identifier: Apache-2.0
#include "lb/planner/older_placements.hpp"

#include "skein/lb/metrics.hpp"

namespace skein::lb {
OlderPlacements::Gained OlderPlacements::add(const Snapshot& snapshot, double points) {
  const Objects& objects = snapshot.objects;
  if (objects.id != ids_) {
    ids_ = objects.id;
    placements_.clear();
  }
  Gained gained;
  if (placements_.size() > 1) {
    const double took = largest_finish(snapshot, objects.pe);
    double since = points;
    for (std::size_t k = 1; k < placements_.size(); ++k) {
      since += placements_[k - 1].points;
      gained.excess += largest_finish(snapshot, placements_[k].pe) - took;
      gained.points += since;
    }
  }
  placements_.push_front({objects.pe, points});
  if (placements_.size() > kPlacements) placements_.pop_back();
  return gained;
}

}  // namespace skein::lb
