// SPDX-License-Identifier: Apache-2.0
// The nodes of one owner, a process or an element, and their changes in a step. A domain sends nothing: it
// returns messages for others. A step, with its exchanges:
//
//   segments    owners learn the segments that are near theirs, and the moments of all cells
//   attract()   forces on segments; each belongs to the owner of its first node
//   annihilate()
//   notices     of forces on the other ends, and of new neighbours
//   move()
//   notices     of new places
//   remesh()
//   notices     of new neighbours
//   settle()
//   nodes       to the owners of their places
//
// Results are bitwise equal for all owners: sums go in the order of cells, and within them of nodes.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "multipole.hpp"
#include "node.hpp"
#include "parameters.hpp"

namespace dislocations {

/// Messages for each receiver.
template <class T>
using Outbox = std::map<std::int32_t, std::vector<T>>;

/// A segment with both ends in one image of the box.
struct Placed {
  Segment segment;
  Straight straight;
};

/// The segments that a domain knows in each cell, in the order of their first nodes.
using Surroundings = std::vector<std::vector<Placed>>;

class Domain {
 public:
  Domain() = default;
  Domain(const Parameters& parameters, std::int32_t self) : parameters_(parameters), self_(self) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& parameters_& self_& nodes_;
  }

  const std::map<NodeId, Node>& nodes() const { return nodes_; }
  void take(std::span<const Node> nodes);

  /// Returns the cells in which its segments begin, ascending.
  std::vector<std::int32_t> cells() const;
  /// Returns its segments that begin in these cells or around them.
  std::vector<Segment> segments_near(std::span<const std::int32_t> cells) const;
  /// Adds its segments to the moments of all cells.
  void add_to(std::vector<Moments>& moments) const;
  /// Returns its own segments with these of others.
  Surroundings surroundings(std::span<const Segment> others) const;

  /// Computes the forces on its segments in one cell, by near and far segments. `far`: of that cell.
  Outbox<Notice> attract(const Surroundings& near, const FarField& far, std::int32_t cell);
  Outbox<Notice> annihilate(const Surroundings& near);
  void read(std::span<const Notice> notices);
  Outbox<Notice> move();
  Outbox<Notice> remesh(int step);
  /// Passes nodes on to the owners of their places: returns those that leave this domain.
  Outbox<Node> settle(const std::function<std::int32_t(const Vec3&)>& owner_of);

 private:
  Straight straight_of(const Segment& segment) const;
  Outbox<Notice> create_nodes(int step);
  Outbox<Notice> remove_nodes(int step);

  Parameters parameters_;
  std::int32_t self_ = 0;
  std::map<NodeId, Node> nodes_;
};

}  // namespace dislocations
