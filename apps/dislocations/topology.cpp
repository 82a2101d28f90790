// SPDX-License-Identifier: Apache-2.0
// Changes nodes and their links: Domain::annihilate() and Domain::remesh().
#include <algorithm>
#include <cmath>
#include <optional>

#include "apps/common/mixed.hpp"
#include "domain.hpp"
#include "segment_force.hpp"
#include "slip_system.hpp"

namespace dislocations {
namespace {

constexpr double same_plane = 1e-3;  // far more than rounding adds to the height of a line over its plane

bool are_neighbours(const Segment& a, const Segment& b) {
  return a.first.id == b.first.id || a.first.id == b.second.id || a.second.id == b.first.id;
}

/// Returns how much shorter the lines become if a and b exchange their second ends; nothing if they are not
/// close, or not of one plane. Symmetric in a and b.
std::optional<double> gain(const Parameters& parameters, const Placed& a, const Placed& b) {
  if (a.segment.system != b.segment.system || are_neighbours(a.segment, b.segment)) return std::nullopt;
  const bool is_in_order = a.segment.first.id < b.segment.first.id;
  const Straight& s = is_in_order ? a.straight : b.straight;
  Straight t = is_in_order ? b.straight : a.straight;
  const Vec3 shift = parameters.box.shift_to_nearest(t.first - s.first);
  t.first += shift, t.second += shift;
  if (std::abs(dot(t.first - s.first, slip_system(a.segment.system).normal)) > same_plane)
    return std::nullopt;
  // Segments of one plane that do not cross are nearest at an end of one of them.
  const double away =
      std::min({distance(s.first, t), distance(s.second, t), distance(t.first, s), distance(t.second, s)});
  if (away > parameters.reach) return std::nullopt;
  const double shorter = norm(s.second - s.first) + norm(t.second - t.first) - norm(t.second - s.first) -
                         norm(s.second - t.first);
  return shorter > 0 ? std::optional(shorter) : std::nullopt;
}

/// Returns the segment with which this one annihilates if that one has no better partner.
const Placed* best_partner(const Parameters& parameters, const Surroundings& near, const Placed& segment) {
  const Placed* best = nullptr;
  double most = 0;
  for (const std::int32_t cell : parameters.box.around(parameters.box.cell_of(segment.segment.first.x)))
    for (const Placed& other : near[static_cast<std::size_t>(cell)]) {
      const std::optional<double> shorter = gain(parameters, segment, other);
      if (!shorter || *shorter <= most) continue;
      best = &other;
      most = *shorter;
    }
  return best;
}

/// Returns a rank by which one of two neighbours is first in each step, equal for all who ask.
std::uint64_t priority(NodeId id, int step) {
  return apps::mixed(id + 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(step));
}

NodeId id_between(NodeId a, NodeId b, int step) {
  return apps::mixed(apps::mixed(apps::mixed(a) + b) + static_cast<std::uint64_t>(step)) | 1;
}

}  // namespace

// Each of two segments has to be the best partner of the other. The owner of one knows all possible better
// partners of the other, because cells are large against segments: check().
Outbox<Notice> Domain::annihilate(const Surroundings& near) {
  Outbox<Notice> out;
  for (const std::int32_t cell : cells())
    for (const Placed& placed : near[static_cast<std::size_t>(cell)]) {
      if (placed.segment.first.owner != self_) continue;
      const Placed* const partner = best_partner(parameters_, near, placed);
      if (!partner || best_partner(parameters_, near, *partner) != &placed) continue;
      nodes_.at(placed.segment.first.id).next = partner->segment.second;
      const Link& second = placed.segment.second;
      out[second.owner].push_back({second.id, Notice::previous, {}, partner->segment.first});
    }
  return out;
}

Outbox<Notice> Domain::remesh(int step) { return step % 2 == 0 ? remove_nodes(step) : create_nodes(step); }

Outbox<Notice> Domain::create_nodes(int step) {
  Outbox<Notice> out;
  std::vector<Node> created;
  for (auto& [id, node] : nodes_) {
    if (node.next.id == 0) continue;
    const Vec3 line = parameters_.box.nearest(node.next.x - node.x);
    if (norm(line) <= parameters_.longest) continue;
    Node between;
    between.id = id_between(node.id, node.next.id, step);
    between.parent = node.id;
    between.x = parameters_.box.wrapped(node.x + 0.5 * line);
    between.previous = {node.id, node.x, self_};
    between.next = node.next;
    between.system = node.system;
    const Link link{between.id, between.x, self_};
    out[node.next.owner].push_back({node.next.id, Notice::previous, {}, link});
    node.next = link;
    created.push_back(between);
  }
  take(created);
  return out;
}

Outbox<Notice> Domain::remove_nodes(int step) {
  Outbox<Notice> out;
  for (auto at = nodes_.begin(); at != nodes_.end();) {
    const Node& node = at->second;
    const auto is_to_go = [&] {
      if (node.pinned) return false;
      if (node.previous.id == node.next.id) return true;  // the loop has vanished
      const Vec3 before = parameters_.box.nearest(node.previous.x - node.x);
      const Vec3 behind = parameters_.box.nearest(node.next.x - node.x);
      return std::min(norm(before), norm(behind)) < parameters_.shortest &&
             norm(behind - before) < parameters_.longest &&
             priority(node.id, step) < priority(node.previous.id, step) &&
             priority(node.id, step) < priority(node.next.id, step);
    };
    if (!is_to_go()) {
      ++at;
      continue;
    }
    if (node.previous.id != node.next.id) {
      out[node.previous.owner].push_back({node.previous.id, Notice::next, {}, node.next});
      out[node.next.owner].push_back({node.next.id, Notice::previous, {}, node.previous});
    }
    at = nodes_.erase(at);
  }
  return out;
}

}  // namespace dislocations
