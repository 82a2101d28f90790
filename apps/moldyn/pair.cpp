// SPDX-License-Identifier: Apache-2.0
#include "pair.hpp"

#include "cell.hpp"
#include "post.hpp"

namespace moldyn {
namespace {

skein::Index6 joined(const skein::Index3& a, const skein::Index3& b) {
  return {a[0], a[1], a[2], b[0], b[1], b[2]};
}

}  // namespace

PairName pair_of(const Grid& grid, const skein::Index3& cell, int direction) {
  const skein::Index3 other = grid.neighbour(cell, direction);
  if (direction >= self_direction) return {joined(cell, other), 0};
  return {joined(other, cell), 1};
}

Pair::Pair(const Parameters& parameters, skein::Array<Cell> cells, skein::Array<Post> posts)
    : parameters_(parameters),
      cells_(cells),
      posts_(posts),
      direction_(parameters.grid.direction_to(cell(0), cell(1))) {}

skein::Index3 Pair::cell(int side) const {
  const skein::Index6& i = index();
  return side == 0 ? skein::Index3(i[0], i[1], i[2]) : skein::Index3(i[3], i[4], i[5]);
}

void Pair::take(int side, const SharedFrame& frame, AnswerBy by) {
  frames_[static_cast<std::size_t>(side)] = frame;
  answer_by_[static_cast<std::size_t>(side)] = by;
  if (!frames_[0] || !(within() || frames_[1])) return;
  compute();
  const bool synchronizes = frames_[0]->synchronizes;
  frames_ = {};
  if (synchronizes) at_sync();
}

void Pair::compute() {
  const std::vector<Vec3>& a = frames_[0]->places;
  const std::vector<Vec3>& b = within() ? a : frames_[1]->places;
  const Vec3 shift = parameters_.grid.image_shift(cell(0), direction_);
  if (frames_[0]->settled) {
    if (within())
      pairs_.find_within(a, parameters_.reach());
    else
      pairs_.find(a, b, shift, parameters_.reach());
  }
  PairEnergies energies;
  std::vector<Vec3> on_a, on_b;
  if (!pairs_.empty()) {
    on_a.resize(a.size());
    if (!within()) on_b.resize(b.size());
    energies = pairs_.add_forces(LennardJones(parameters_.cutoff), a, b, shift, on_a, within() ? on_a : on_b);
  }
  answer(0, std::move(on_a), energies);
  if (!within()) answer(1, std::move(on_b), {});
}

void Pair::answer(int side, std::vector<Vec3> forces, const PairEnergies& energies) {
  const int from = side == 0 ? direction_ : opposite(direction_);
  DirectedPush push{from, skein::this_pe(), {std::move(forces), energies, pairs_.empty()}};
  if (answer_by_[static_cast<std::size_t>(side)] == AnswerBy::post)
    posts_[skein::this_pe()].call<&Post::collect>(cell(side), std::move(push));
  else
    cells_[cell(side)].send<&Cell::take_push>(std::move(push));
}

}  // namespace moldyn
