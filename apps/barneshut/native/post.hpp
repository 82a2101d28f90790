// SPDX-License-Identifier: Apache-2.0
// One on each PE, for all the pieces there: it knows the heads of all pieces, gets what the bodies here need
// of the pieces on other PEs, once for all of them, and makes of it the tree that the pieces here walk.
#pragma once

#include <map>
#include <memory>
#include <skein/skein.hpp>
#include <vector>

#include "apps/barneshut/parameters.hpp"

namespace barneshut {

class TreePiece;

struct Place {
  std::int32_t piece, pe;
};

/// Heads of some pieces, and where each piece is.
struct PlacedHeads {
  Heads heads;
  std::vector<Place> places;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& heads& places;
  }
};

struct AddHeads {
  void operator()(PlacedHeads& into, const PlacedHeads& with) const;
};
inline constexpr AddHeads add_heads;

/// What the bodies of a PE need of a piece.
struct Segment {
  std::int32_t piece = 0;
  Tree tree;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& piece& tree;
  }
};

class Post : public skein::Chare<Post, skein::Index1> {
 public:
  Post() = default;
  Post(const Parameters& parameters, const std::vector<Octant>& cells, skein::Array<TreePiece> pieces)
      : parameters_(parameters), cells_(cells), pieces_(pieces), trees_(cells.size()) {}

  // From pieces here.

  /// The piece begins a step: it wants to know how many messages with bodies it gets.
  void enter(std::int32_t piece) { entered_.push_back(piece); }
  /// The piece has settled.
  void plant(std::int32_t piece, std::shared_ptr<const Tree> tree);
  /// The piece that has a key.
  std::int32_t piece_with(std::uint64_t key) const {
    return static_cast<std::int32_t>(piece_of(cells_, key));
  }
  /// What bodies on the PE need more of the piece than its head. Empty: nobody there does.
  std::vector<Box> boxes_near(std::int32_t piece, int pe) const;
  /// Valid until the next step.
  const Tree& tree() const { return tree_; }

  // Results.

  /// From all pieces: the receivers of messages with bodies, once for each message.
  void take_receivers(const std::vector<std::int32_t>& receivers);
  void take_heads(const PlacedHeads& heads);

  /// From a piece on another PE; perhaps before the heads.
  void take_segment(Segment segment);

 private:
  void assemble_if_all_came();

  Parameters parameters_;
  std::vector<Octant> cells_;
  skein::Array<TreePiece> pieces_;

  std::vector<std::int32_t> entered_, planted_;     // pieces here, in this step
  Heads heads_;                                     // in the order of pieces
  std::vector<std::vector<Box>> boxes_;             // of the pieces on each PE that have bodies
  std::vector<std::shared_ptr<const Tree>> trees_;  // of each piece, as far as it is known here
  int segments_missing_ = 0;                        // negative: more have come than are known of
  bool knows_heads_ = false;
  Tree tree_;
};

}  // namespace barneshut
