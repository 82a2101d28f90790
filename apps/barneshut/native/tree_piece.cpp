// SPDX-License-Identifier: Apache-2.0
#include "tree_piece.hpp"

#include <algorithm>
#include <map>

#include "apps/barneshut/scenario.hpp"

namespace barneshut {

Post& TreePiece::post() const { return *posts_[skein::this_pe()].local(); }

void TreePiece::begin(const Octant& cell, std::vector<Body> bodies, skein::Array<Post> posts) {
  cell_ = cell;
  bodies_ = std::move(bodies);
  posts_ = posts;
  settle();
}

// ---- a step of the leapfrog: half a kick, drift, forces at the new places, half a kick

void TreePiece::begin_step() {
  ++step_;
  kick();
  for (Body& body : bodies_) {
    body.x += parameters_.time_step * body.v;
    locate(parameters_.rules.root, body);
  }
  post().enter(index()[0]);
  send_leavers();
}

void TreePiece::kick() {
  for (Body& body : bodies_) body.v += (0.5 * parameters_.time_step) * body.a;
}

void TreePiece::end_step() {
  if (step_ > 0) kick();
  if (parameters_.reports_at(step_))
    contribute(apps::Interval<Totals>{totals_of(bodies_), step_}, apps::add_intervals,
               skein::to<&Director::report>(director_[0]));
  if (step_ == parameters_.steps) return;
  if (step_ % sync_ != 0) return begin_step();
  at_sync();
}

void TreePiece::resume_from_sync() { begin_step(); }

// ---- bodies that change pieces

void TreePiece::send_leavers() {
  const auto leavers =
      std::ranges::partition(bodies_, [&](const Body& body) { return cell_.holds(body.key); });
  std::map<std::int32_t, std::vector<Body>> to;
  for (const Body& body : leavers) to[post().piece_with(body.key)].push_back(body);
  bodies_.erase(leavers.begin(), leavers.end());
  std::vector<std::int32_t> receivers;
  for (auto& [piece, bodies] : to) {
    receivers.push_back(piece);
    array()[piece].send<&TreePiece::take_bodies>(std::move(bodies));
  }
  contribute(receivers, skein::concat, skein::to<&Post::take_receivers>(posts_));
}

void TreePiece::take_bodies(const std::vector<Body>& bodies) {
  arrived_.insert(arrived_.end(), bodies.begin(), bodies.end());
  --messages_missing_;
  settle_if_all_came();
}

void TreePiece::expect_bodies(int messages) {
  messages_missing_ += messages;
  knows_messages_ = true;
  settle_if_all_came();
}

void TreePiece::settle_if_all_came() {
  if (!knows_messages_ || messages_missing_ > 0) return;
  knows_messages_ = false;
  bodies_.insert(bodies_.end(), arrived_.begin(), arrived_.end());
  arrived_.clear();
  settle();
}

// ---- attraction

void TreePiece::settle() {
  std::ranges::sort(bodies_, in_key_order);
  tree_ = std::make_shared<const Tree>(tree_of(parameters_.rules, cell_, bodies_));
  post().plant(index()[0], tree_);
  PlacedHeads mine;
  add_head(mine.heads, parameters_.rules, cell_, bodies_, *tree_);
  mine.places.push_back({index()[0], skein::this_pe()});
  contribute(std::move(mine), add_heads, skein::to<&Post::take_heads>(posts_));
}

void TreePiece::serve() {
  for (int pe = 0; pe < skein::pe_count(); ++pe) {
    if (pe == skein::this_pe()) continue;
    const std::vector<Box> near = post().boxes_near(index()[0], pe);
    if (!near.empty())
      posts_[pe].send<&Post::take_segment>(Segment{index()[0], essential(parameters_.gravity, *tree_, near)});
  }
  has_served_ = true;
  walk_if_ready();
}

void TreePiece::attract() {
  may_walk_ = true;
  walk_if_ready();
}

void TreePiece::walk_if_ready() {
  if (!has_served_ || !may_walk_) return;
  has_served_ = may_walk_ = false;
  tree_.reset();
  walk();
  end_step();
}

void TreePiece::walk() {
  const Tree& tree = post().tree();
  for (Body& body : bodies_) {
    const Attraction found = attraction(parameters_.gravity, tree, body);
    body.a = found.a, body.potential = found.potential, body.interactions = found.interactions;
  }
}

// ---- results and placement

void TreePiece::give_all() { contribute(bodies_, skein::concat, skein::to<&Director::write>(director_[0])); }

std::array<float, 3> TreePiece::position() const {
  const Vec3 middle = parameters_.rules.root.middle_of(cell_);
  return {static_cast<float>(middle.x), static_cast<float>(middle.y), static_cast<float>(middle.z)};
}

}  // namespace barneshut
