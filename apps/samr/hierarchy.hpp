// SPDX-License-Identifier: Apache-2.0
// Which patches there are on which level, and which grids have them: boxes and owners, which every PE knows.
// Level 0 covers the domain; each next is properly nested: the ghost cells of its patches lie in the level
// below, with neighbours for slopes.
#pragma once

#include <skein/skein.hpp>

#include "transfer.hpp"

namespace samr {

/// The level and a number for grids that were made; {-1 - n, 0} for parts of divided ones.
using GridIndex = skein::Index2;

struct Placed {
  std::int32_t level = 0;
  Box box;
  GridIndex grid;

  friend bool operator==(const Placed&, const Placed&) = default;
};

class Hierarchy {
 public:
  Hierarchy() = default;
  /// `domain`: of level 0.
  Hierarchy(const Box& domain, std::vector<Placed> patches);
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& domain_& patches_& starts_& longest_;
  }

  /// Those with patches; at least one when there is a patch.
  int levels() const { return static_cast<int>(longest_.size()); }
  Box domain(int level) const;
  std::span<const Placed> patches() const { return patches_; }
  /// Sorted by their boxes; none for other levels than these.
  std::span<const Placed> level(int level) const;
  Boxes boxes(int level) const;
  const Placed* find(int level, const Box& box) const;
  /// Returns the patches that have cells of the box. Takes a few binary searches if patches have similar
  /// sizes.
  std::vector<Placed> near(int level, const Box& box) const;
  Boxes boxes_near(int level, const Box& box) const;

  bool operator==(const Hierarchy& other) const { return patches_ == other.patches_; }

 private:
  Box domain_;
  std::vector<Placed> patches_;      // by level and box
  std::vector<std::size_t> starts_;  // of each level, and the end
  std::vector<Cell> longest_;        // of each level, along each axis
};

/// The grid that has most of what is below a patch.
GridIndex parent_of(const Hierarchy& hierarchy, const Placed& patch);

/// Where a patch borders on the level below, on that side: cells of that level.
Boxes border(const Hierarchy& hierarchy, int level, const Box& box, int side);

/// What keeps the patches of a hierarchy from being as they must: a text for tests and checks, or an empty
/// one.
std::string flaw_of(const Hierarchy& hierarchy);

}  // namespace samr
