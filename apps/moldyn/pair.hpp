// SPDX-License-Identifier: Apache-2.0
// The forces between the atoms of two neighbouring cells, or within one: an element of a 6-D array whose
// index is both cells. Cells send it the places of their atoms; it answers both with forces.
#pragma once

#include <array>
#include <memory>
#include <skein/skein.hpp>

#include "pair_list.hpp"
#include "parameters.hpp"

namespace moldyn {

class Cell;
class Post;

/// The places of a cell's atoms.
struct Frame {
  bool settled = false;       ///< atoms have changed cells since the last one
  bool synchronizes = false;  ///< a sync point follows this step
  std::vector<Vec3> places;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& settled& synchronizes& places;
  }
};
/// One frame for all pairs of a cell that are on its PE.
using SharedFrame = std::shared_ptr<const Frame>;

/// A pair's answer to a cell.
struct Push {
  std::vector<Vec3> forces;  ///< on the cell's atoms; empty: none
  PairEnergies energies;     ///< of the pair, in the answer to its first cell
  bool sleeps = false;       ///< no forces until atoms change cells again: send no frames until then

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& forces& energies& sleeps;
  }
};
/// An answer, with the direction from the cell to the pair, and the pair's PE.
struct DirectedPush {
  int direction = 0;
  int pe = 0;
  Push push;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& direction& pe& push;
  }
};

/// The way of an answer to the cell: directly, or by the Post of the PE, which waits for it.
enum class AnswerBy : std::int32_t { itself, post };

/// Names the pair of a cell and its neighbour in a direction. A direction of 13 or more makes the cell the
/// pair's first.
struct PairName {
  skein::Index6 index;
  int side;  ///< 0: the cell is the first of the pair, 1: the second
};
PairName pair_of(const Grid& grid, const skein::Index3& cell, int direction);

class Pair : public skein::Chare<Pair, skein::Index6> {
 public:
  Pair() = default;
  Pair(const Parameters& parameters, skein::Array<Cell> cells, skein::Array<Post> posts);
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& parameters_& cells_& posts_& direction_& pairs_;
  }

  /// Gets a frame from each of the two cells, once a step.
  void take(int side, const SharedFrame& frame, AnswerBy by);
  void resume_from_sync() {}

 private:
  bool within() const { return direction_ == self_direction; }
  skein::Index3 cell(int side) const;
  void compute();
  void answer(int side, std::vector<Vec3> forces, const PairEnergies& energies);

  Parameters parameters_;
  skein::Array<Cell> cells_;
  skein::Array<Post> posts_;
  int direction_ = 0;  // from the first cell to the second
  PairList pairs_;
  // State of the step under way; empty while the element moves.
  std::array<SharedFrame, 2> frames_;
  std::array<AnswerBy, 2> answer_by_{};
};

}  // namespace moldyn
