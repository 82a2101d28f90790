// SPDX-License-Identifier: Apache-2.0
// The cells that patches give each other. Both sides compute them from the hierarchy, without asking.
#pragma once

#include "hierarchy.hpp"

namespace samr {

/// The cells that patches of a level get: from patches of the same level, and from the level below where
/// there are none. There are two kinds: all patches get their ghost cells; or new patches are filled from the
/// patches that were there before.
class Exchange {
 public:
  static Exchange of_ghosts(const Hierarchy& now) { return {now, now, false}; }
  static Exchange to_fill(const Hierarchy& now, const Hierarchy& before) { return {now, before, true}; }

  bool wants(const Placed& patch) const { return !filling_ || !before_.find(patch.level, patch.box); }
  /// Returns the cells that the patch has at the end, its own included, inside the domain.
  Box wanted(const Placed& patch) const;
  /// Returns the cells that the level below must give for interpolation, as boxes of that level.
  Boxes sources(const Placed& patch) const;
  /// Returns the wanted cells that are to be interpolated.
  Boxes interpolated(const Placed& patch) const;

  /// Returns the number of patches that give to this one. Precondition: wants(patch).
  std::size_t givers(const Placed& patch) const;
  /// Return the patches of the same level, and of the next level, that get something from cells in `giver`.
  std::vector<Placed> beside(int level, const Box& giver) const;
  std::vector<Placed> above(int level, const Box& giver) const;

 private:
  Exchange(const Hierarchy& now, const Hierarchy& before, bool filling)
      : now_(now), before_(before), filling_(filling) {}

  const Hierarchy &now_, &before_;
  bool filling_;
};

}  // namespace samr
