// SPDX-License-Identifier: Apache-2.0
// The bodies of one piece, which is a cell of the octree: an element of an array. A step is
//   drift     bodies that leave the cell go to their pieces; a reduction gives each its number of messages
//   settle    the tree of the piece; heads of all pieces are reduced (piece.hpp)
//   serve     sends to the posts of other PEs the parts of the tree that they need
//   walk      attraction by the tree that the post has assembled
// No piece serves before all have settled, or settles again before all have walked.
#pragma once

#include <memory>
#include <skein/skein.hpp>
#include <vector>

#include "apps/barneshut/totals.hpp"
#include "apps/common/director.hpp"
#include "post.hpp"

namespace barneshut {

class TreePiece;
using Director = apps::Director<TreePiece, Parameters, Report, Totals, Body>;

class TreePiece : public skein::Chare<TreePiece, skein::Index1> {
 public:
  TreePiece() = default;
  TreePiece(const Parameters& parameters, int sync, skein::Array<Director> director)
      : parameters_(parameters), director_(director), sync_(sync) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& parameters_& director_& posts_& cell_& sync_& step_& bodies_;
  }

  /// Starts with the bodies of its cell, in_key_order().
  void begin(const Octant& cell, std::vector<Body> bodies, skein::Array<Post> posts);
  /// Gets bodies that have left another piece for this one; perhaps before this one has come so far.
  void take_bodies(const std::vector<Body>& bodies);
  /// Gets from the post the number of messages with bodies in this step.
  void expect_bodies(int messages);
  /// Called by the post when it has all heads.
  void serve();
  /// Called by the post when it has the tree.
  void attract();
  void resume_from_sync();
  /// Contributes the bodies, to be written.
  void give_all();
  static void write(const std::string& file, const Parameters& parameters, std::vector<Body> bodies) {
    write_bodies(file, parameters, std::move(bodies));
  }

  /// Returns the middle of the cell, for strategies by place.
  std::array<float, 3> position() const;

 private:
  void begin_step();
  void send_leavers();
  void settle_if_all_came();
  void settle();
  void walk_if_ready();
  void walk();
  void end_step();
  void kick();
  Post& post() const;

  Parameters parameters_;
  skein::Array<Director> director_;
  skein::Array<Post> posts_;
  Octant cell_;
  std::int32_t sync_ = 1;
  std::int32_t step_ = 0;
  std::vector<Body> bodies_;

  // State of the step under way; empty while the element moves.
  std::vector<Body> arrived_;
  int messages_missing_ = 0;  // negative: more have come than were expected
  bool knows_messages_ = false;
  std::shared_ptr<const Tree> tree_;
  bool has_served_ = false, may_walk_ = false;
};

}  // namespace barneshut
