// SPDX-License-Identifier: Apache-2.0
#include "domain.hpp"

#include <algorithm>
#include <cmath>

#include "segment_force.hpp"
#include "slip_system.hpp"

namespace dislocations {
namespace {

Segment segment_of(const Node& node, std::int32_t owner) {
  return {{node.id, node.x, owner}, node.next, node.system};
}

Vec3 middle_of(const Straight& straight) { return 0.5 * (straight.first + straight.second); }

Straight shifted(const Straight& straight, const Vec3& shift) {
  return {straight.first + shift, straight.second + shift, straight.burgers};
}

}  // namespace

void Domain::take(std::span<const Node> nodes) {
  for (const Node& node : nodes) nodes_.insert_or_assign(node.id, node);
}

Straight Domain::straight_of(const Segment& segment) const {
  const Vec3& x = segment.first.x;
  return {x, x + parameters_.box.nearest(segment.second.x - x), slip_system(segment.system).burgers};
}

std::vector<std::int32_t> Domain::cells() const {
  std::vector<std::int32_t> cells;
  for (const auto& [id, node] : nodes_)
    if (node.next.id != 0) cells.push_back(parameters_.box.cell_of(node.x));
  std::ranges::sort(cells);
  cells.erase(std::ranges::unique(cells).begin(), cells.end());
  return cells;
}

std::vector<Segment> Domain::segments_near(std::span<const std::int32_t> cells) const {
  std::vector<bool> is_near(static_cast<std::size_t>(parameters_.box.cell_count()));
  for (const std::int32_t cell : cells)
    for (const std::int32_t near : parameters_.box.around(cell))
      is_near[static_cast<std::size_t>(near)] = true;
  std::vector<Segment> found;
  for (const auto& [id, node] : nodes_)
    if (node.next.id != 0 && is_near[static_cast<std::size_t>(parameters_.box.cell_of(node.x))])
      found.push_back(segment_of(node, self_));
  return found;
}

void Domain::add_to(std::vector<Moments>& moments) const {
  for (const auto& [id, node] : nodes_) {
    if (node.next.id == 0) continue;
    const std::int32_t cell = parameters_.box.cell_of(node.x);
    moments[static_cast<std::size_t>(cell)].add(straight_of(segment_of(node, self_)),
                                                parameters_.box.middle(cell));
  }
}

Surroundings Domain::surroundings(std::span<const Segment> others) const {
  Surroundings near(static_cast<std::size_t>(parameters_.box.cell_count()));
  const auto add = [&](const Segment& segment) {
    near[static_cast<std::size_t>(parameters_.box.cell_of(segment.first.x))].push_back(
        {segment, straight_of(segment)});
  };
  for (const auto& [id, node] : nodes_)
    if (node.next.id != 0) add(segment_of(node, self_));
  for (const Segment& segment : others) add(segment);
  for (auto& cell : near)
    std::ranges::sort(cell, {}, [](const Placed& placed) { return placed.segment.first.id; });
  return near;
}

Outbox<Notice> Domain::attract(const Surroundings& near, const FarField& far, std::int32_t cell) {
  Outbox<Notice> out;
  const std::vector<std::int32_t> around = parameters_.box.around(cell);
  for (auto& [id, node] : nodes_) {
    if (node.next.id == 0 || parameters_.box.cell_of(node.x) != cell) continue;
    const Straight on = straight_of(segment_of(node, self_));
    const Vec3 middle = middle_of(on);
    Stress even = far.at(middle);
    even += parameters_.applied();
    EndForces forces = force_by(even, on);
    node.evaluations = 0;
    for (const std::int32_t beside : around)
      for (const Placed& placed : near[static_cast<std::size_t>(beside)]) {
        const Vec3 shift = parameters_.box.shift_to_nearest(middle_of(placed.straight) - middle);
        forces += force_by(parameters_.material, shifted(placed.straight, shift), on, node.evaluations);
      }
    node.by_next = forces.first;
    out[node.next.owner].push_back({node.next.id, Notice::force, forces.second, {}});
  }
  return out;
}

void Domain::read(std::span<const Notice> notices) {
  for (const Notice& notice : notices) {
    Node& node = nodes_.at(notice.to);
    switch (notice.kind) {
      case Notice::force:
        node.by_previous = notice.value;
        break;
      case Notice::next:
        node.next = notice.link;
        break;
      case Notice::previous:
        node.previous = notice.link;
        break;
      case Notice::next_place:
        node.next.x = notice.value;
        break;
      case Notice::previous_place:
        node.previous.x = notice.value;
        break;
    }
  }
}

// Linear mobility: drag per length times velocity is force per length, of which only the part in the plane
// counts.
Outbox<Notice> Domain::move() {
  Outbox<Notice> out;
  const Box& box = parameters_.box;
  for (auto& [id, node] : nodes_) {
    if (node.pinned) continue;
    const Vec3& normal = slip_system(node.system).normal;
    const Vec3 force = node.by_next + node.by_previous;
    const Vec3 glide = force - dot(force, normal) * normal;
    const double line =
        0.5 * (norm(box.nearest(node.next.x - node.x)) + norm(box.nearest(node.previous.x - node.x)));
    Vec3 step = parameters_.mobility * parameters_.time_step / line * glide;
    const double far = norm(step);
    if (far > parameters_.stride) step = parameters_.stride / far * step;
    node.x = box.wrapped(node.x + step);
    out[node.previous.owner].push_back({node.previous.id, Notice::next_place, node.x, {}});
    out[node.next.owner].push_back({node.next.id, Notice::previous_place, node.x, {}});
  }
  return out;
}

Outbox<Node> Domain::settle(const std::function<std::int32_t(const Vec3&)>& owner_of) {
  Outbox<Node> leavers;
  for (auto at = nodes_.begin(); at != nodes_.end();) {
    Node& node = at->second;
    node.previous.owner = owner_of(node.previous.x);
    node.next.owner = owner_of(node.next.x);
    const std::int32_t owner = owner_of(node.x);
    if (owner == self_) {
      ++at;
      continue;
    }
    leavers[owner].push_back(node);
    at = nodes_.erase(at);
  }
  return leavers;
}

}  // namespace dislocations
