// SPDX-License-Identifier: Apache-2.0
// Finds the fewest objects that bring every PE below a limit, and new places for them.
//
// A PE above the limit sheds the fewest objects that suffice: its heaviest ones, and as the last of them the
// lightest that still suffices. So no assignment that keeps the limit moves fewer objects from that PE. Shed
// objects go, heaviest first, to the PE that would finish them first; that may break the limit if objects are
// too coarse for the gaps.
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "lb/kernel/floors.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::lb {

class Shedder {
 public:
  /// Prepares for limits from `lowest_limit` up. `finish`: the finish times of the snapshot's placement; it,
  /// the floors and the snapshot are kept by reference. Objects that the floors keep are not shed. O(n).
  Shedder(const Snapshot& snapshot, const std::vector<double>& finish, const Floors& floors,
          double lowest_limit);
  /// Takes the result of heaviest_first() for all objects from the caller.
  Shedder(const Snapshot& snapshot, const std::vector<double>& finish, const Floors& floors,
          double lowest_limit, std::span<const ObjectIndex> order);

  struct Result {
    double largest_finish;                                // above the floors
    std::vector<std::pair<ObjectIndex, PeIndex>> placed;  // the shed objects, heaviest first
  };

  /// Sheds above `limit` and places the shed objects. O(shed log PEs + PEs).
  Result shed_above(double limit) const;

 private:
  struct Piece {
    double load;
    ObjectIndex object;
  };
  static double choose(std::span<const Piece> pieces, double excess, std::vector<Piece>& shed);

  const Snapshot& snapshot_;
  const std::vector<double>& finish_;
  const Floors& floors_;
  std::vector<PeIndex> donors_;  // the PEs above the lowest limit
  /// Movable from donors_[d]: pieces_[first_[d]] to pieces_[first_[d + 1]], heaviest first.
  std::vector<std::size_t> first_;
  std::vector<Piece> pieces_;
};

}  // namespace skein::lb
