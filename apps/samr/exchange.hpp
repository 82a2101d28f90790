// SPDX-License-Identifier: Apache-2.0
// Who gives cells to whom: computed by both sides from the hierarchy, so that nobody has to ask.
#pragma once

#include "hierarchy.hpp"

namespace samr {

/// Cells that patches of a level get: from patches of the same level, and where there are none, from those of
/// the level below. Two kinds: all patches get their ghost cells; or new patches are filled, from those that
/// were there before.
class Exchange {
 public:
  static Exchange of_ghosts(const Hierarchy& now) { return {now, now, false}; }
  static Exchange to_fill(const Hierarchy& now, const Hierarchy& before) { return {now, before, true}; }

  bool wants(const Placed& patch) const { return !filling_ || !before_.find(patch.level, patch.box); }
  /// The cells that it has in the end, with its own, in the domain.
  Box wanted(const Placed& patch) const;
  /// Those that the level below has to give, as boxes of that level: what interpolation needs.
  Boxes sources(const Placed& patch) const;
  /// What of them is to be interpolated.
  Boxes interpolated(const Placed& patch) const;

  /// How many patches give something to this one. Precondition: it wants.
  std::size_t givers(const Placed& patch) const;
  /// Patches of the same level, and of the next, that are to get something of one of these cells.
  std::vector<Placed> beside(int level, const Box& giver) const;
  std::vector<Placed> above(int level, const Box& giver) const;

 private:
  Exchange(const Hierarchy& now, const Hierarchy& before, bool filling)
      : now_(now), before_(before), filling_(filling) {}

  const Hierarchy &now_, &before_;
  bool filling_;
};

}  // namespace samr
