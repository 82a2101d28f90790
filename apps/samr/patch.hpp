// SPDX-License-Identifier: Apache-2.0
// A box of a level and what is in its cells. It can be cut anywhere between cells of the level below.
#pragma once

#include "flux_plane.hpp"
#include "particles.hpp"

namespace samr {

struct Patch {
  Field now;
  Field old;              ///< before the last step, while finer levels catch up with it; else empty
  FluxPlanes at_finer;    ///< of the last step, at the borders of the next level
  FluxPlanes at_coarser;  ///< so far, at its own borders
  double side = 0;        ///< of a cell
  Pulls pulls;            ///< of the last step; empty before the first, and without gravity
  Particles particles;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& now& old& at_finer& at_coarser& side& pulls& particles;
  }

  const Box& box() const { return now.box(); }
  Patch piece(const Box& box) const;
  /// Becomes its own piece in the box, in the memory that its cells have.
  void keep(const Box& box);
  /// Finer levels have caught up with it.
  void close() { old = {}, at_finer.clear(); }
};

/// Cuts off about that share along the longest axis, at an even place. Returns two patches, the first in the
/// memory of the whole, or one if the patch is too short.
std::vector<Patch> divided(Patch patch, double share);

/// Patches that together are a box become one, as long as there are any.
std::vector<Patch> joined(std::vector<Patch> patches);

/// Of every digit of its cells and particles: the sum over patches is the same however they are cut.
std::uint64_t fingerprint(const Patch& patch, int level);

/// What is refined.
struct Criteria {
  double steepness =
      0;  ///< where density or pressure differs by more from that beside, relative to the smaller value
  double densest = 0;  ///< where the density is above
  int buffer = 0;      ///< up to so many cells away
};

/// The cells to refine because of those in the box, which may lie outside of it: boxes of one row each.
/// Precondition: `around` has the box grown by one cell.
Boxes rows_to_refine(const Field& around, const Box& box, const Criteria& criteria, double heat_ratio);

}  // namespace samr
