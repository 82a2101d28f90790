// SPDX-License-Identifier: Apache-2.0
#include "post.hpp"

#include <algorithm>
#include <utility>

#include "tree_piece.hpp"

namespace barneshut {

void AddHeads::operator()(PlacedHeads& into, const PlacedHeads& with) const {
  append(into.heads, with.heads.pieces, with.heads.points);
  into.places.insert(into.places.end(), with.places.begin(), with.places.end());
}

void Post::plant(std::int32_t piece, std::shared_ptr<const Tree> tree) {
  planted_.push_back(piece);
  trees_[static_cast<std::size_t>(piece)] = std::move(tree);
}

void Post::take_receivers(const std::vector<std::int32_t>& receivers) {
  std::map<std::int32_t, int> messages;
  for (const std::int32_t receiver : receivers) ++messages[receiver];
  for (const std::int32_t piece : std::exchange(entered_, {}))
    pieces_[piece].send<&TreePiece::expect_bodies>(messages[piece]);
}

void Post::take_heads(const PlacedHeads& heads) {
  heads_.points = heads.heads.points;
  heads_.pieces.resize(cells_.size());
  boxes_.assign(static_cast<std::size_t>(skein::pe_count()), {});
  for (std::size_t k = 0; k < heads.places.size(); ++k) {
    const auto [piece, pe] = heads.places[k];
    const Head& head = heads_.pieces[static_cast<std::size_t>(piece)] = heads.heads.pieces[k];
    if (head.bodies > 0) boxes_[static_cast<std::size_t>(pe)].push_back(head.box);
  }
  for (const auto& [piece, pe] : heads.places)
    if (pe != skein::this_pe() && !boxes_near(piece, skein::this_pe()).empty()) ++segments_missing_;
  knows_heads_ = true;
  for (const std::int32_t piece : planted_) pieces_[piece].send<&TreePiece::serve>();
  assemble_if_all_came();
}

std::vector<Box> Post::boxes_near(std::int32_t piece, int pe) const {
  std::vector<Box> near;
  std::ranges::copy_if(boxes_[static_cast<std::size_t>(pe)], std::back_inserter(near), [&](const Box& box) {
    return needs_more(parameters_.gravity, box, heads_.pieces[static_cast<std::size_t>(piece)]);
  });
  return near;
}

void Post::take_segment(Segment segment) {
  trees_[static_cast<std::size_t>(segment.piece)] = std::make_shared<const Tree>(std::move(segment.tree));
  --segments_missing_;
  assemble_if_all_came();
}

void Post::assemble_if_all_came() {
  if (!knows_heads_ || segments_missing_ > 0) return;
  knows_heads_ = false;
  tree_ = whole_tree(parameters_.rules, heads_, [&](std::size_t piece) { return trees_[piece].get(); });
  std::ranges::fill(trees_, nullptr);
  for (const std::int32_t piece : std::exchange(planted_, {})) pieces_[piece].send<&TreePiece::attract>();
}

}  // namespace barneshut
