// SPDX-License-Identifier: Apache-2.0
// The post of a PE: it knows the heads of all pieces, gets once for all pieces here what their bodies need of
// the pieces on other PEs, and builds the tree that the pieces here walk.
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

/// Heads of some pieces, and the place of each piece.
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

/// The part of a piece that the bodies of a PE need.
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

  // Calls from pieces here.

  /// Notes that the piece begins a step: it asks how many messages with bodies it gets.
  void enter(std::int32_t piece) { entered_.push_back(piece); }
  /// Notes that the piece has settled.
  void plant(std::int32_t piece, std::shared_ptr<const Tree> tree);
  /// Returns the piece that has a key.
  std::int32_t piece_with(std::uint64_t key) const {
    return static_cast<std::int32_t>(piece_of(cells_, key));
  }
  /// Returns the boxes of the PE's bodies that need more of the piece than its head; empty if none does.
  std::vector<Box> boxes_near(std::int32_t piece, int pe) const;
  /// Returns the tree of the whole, valid until the next step.
  const Tree& tree() const { return tree_; }

  // Results.

  /// Gets, from all pieces, the receivers of messages with bodies, once for each message.
  void take_receivers(const std::vector<std::int32_t>& receivers);
  void take_heads(const PlacedHeads& heads);

  /// Gets a segment from a piece on another PE; perhaps before the heads.
  void take_segment(Segment segment);

 private:
  void assemble_if_all_came();

  Parameters parameters_;
  std::vector<Octant> cells_;
  skein::Array<TreePiece> pieces_;

  std::vector<std::int32_t> entered_, planted_;     // pieces here, in this step
  Heads heads_;                                     // in the order of pieces
  std::vector<std::vector<Box>> boxes_;             // of pieces with bodies, by PE
  std::vector<std::shared_ptr<const Tree>> trees_;  // of each piece; null: not known here
  int segments_missing_ = 0;                        // negative: more have come than were expected
  bool knows_heads_ = false;
  Tree tree_;
};

}  // namespace barneshut
