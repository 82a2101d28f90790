// SPDX-License-Identifier: Apache-2.0
// Lines are chains of nodes, closed or between two pinned nodes, joined by straight segments. A whole line
// has one slip system: it glides, and there are no junctions.
#pragma once

#include <cstdint>

#include "apps/common/vec3.hpp"

namespace dislocations {

using apps::Vec3;
using NodeId = std::uint64_t;  // never 0

/// A node's data of its neighbour on the line.
struct Link {
  NodeId id = 0;  ///< 0: there is none
  Vec3 x;
  std::int32_t owner = 0;  ///< the domain that has that node
};

/// A plain struct, like the others here, so that its bytes can be sent.
struct Node {
  NodeId id = 0;
  NodeId parent = 0;  ///< the node whose segment was cut when this one was created; itself at first
  Vec3 x;             ///< in the box
  Link previous, next;
  Vec3 by_next;      ///< the force by the segment that begins here
  Vec3 by_previous;  ///< by the segment that ends here; its owner sends it
  std::int32_t system = 0;
  std::int32_t pinned = 0;
  std::uint64_t evaluations = 0;  ///< stresses computed for the segment that begins here, in the last step
};

/// A segment, as other domains know it.
struct Segment {
  Link first, second;
  std::int32_t system = 0;
};

/// A message from the owner of a node to the owner of another.
struct Notice {
  enum Kind : std::int32_t { force, next, previous, next_place, previous_place };
  NodeId to = 0;
  Kind kind = force;
  Vec3 value;  ///< the force by the segment that ends there, or the new place of its neighbour
  Link link;   ///< its new neighbour
};

}  // namespace dislocations
