// SPDX-License-Identifier: Apache-2.0
// The bodies of one piece, which is a cell of the octree: an element of an array. A step is
//   drift     bodies that leave the cell go to their pieces; who gets how many messages is reduced
//   settle    the tree of the piece; heads of all pieces are reduced (piece.hpp)
//   serve     what other PEs need of the tree goes to their posts
//   walk      attraction by the tree that the post has assembled
// All pieces have settled before one serves, and have walked before one settles the next time.
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

  /// With the bodies of its cell, in_key_order().
  void begin(const Octant& cell, std::vector<Body> bodies, skein::Array<Post> posts);
  /// From a piece that bodies have left for this one; perhaps before this one is as far.
  void take_bodies(const std::vector<Body>& bodies);
  /// From the post: how many such messages there are in this step.
  void expect_bodies(int messages);
  /// From the post: it has all heads.
  void serve();
  /// From the post: it has the tree.
  void attract();
  void resume_from_sync();
  /// Contributes the bodies, to be written.
  void give_all();
  static void write(const std::string& file, const Parameters& parameters, std::vector<Body> bodies) {
    write_bodies(file, parameters, std::move(bodies));
  }

  /// Of the cell, for strategies by place.
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

  // Of the step under way; nothing while the element moves.
  std::vector<Body> arrived_;
  int messages_missing_ = 0;  // negative: more have come than are known of
  bool knows_messages_ = false;
  std::shared_ptr<const Tree> tree_;
  bool has_served_ = false, may_walk_ = false;
};

}  // namespace barneshut
