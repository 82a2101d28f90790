// SPDX-License-Identifier: Apache-2.0
#include "mesh.hpp"

#include <algorithm>
#include <map>

namespace samr {
namespace {

using Levels = std::map<BlockIndex, int>;  // the level that each leaf is to have

/// Calls f(leaf) for the leaves that cover a block of a level or are in it, of those that differ by any
/// number of levels.
template <class F>
void for_each_leaf_at(Levels& levels, const BlockIndex& block, F f) {
  for (BlockIndex at = block; at[0] >= 0; at = parent_of(at))
    if (const auto found = levels.find(at); found != levels.end()) return f(found);
  // Leaves differ by one level where they touch.
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 2; ++y)
      if (const auto found = levels.find(child_of(block, x, y)); found != levels.end()) f(found);
}

template <class F>
void for_each_around(Levels& levels, const BlockIndex& block, F f) {
  for (int dx = -1; dx <= 1; ++dx)
    for (int dy = -1; dy <= 1; ++dy)
      if (dx != 0 || dy != 0) {
        const BlockIndex beside(block[0], block[1] + dx, block[2] + dy);
        if (beside[1] >= 0 && beside[2] >= 0) for_each_leaf_at(levels, beside, f);
      }
}

/// Raises levels until neighbours differ by one at most.
void balance(Levels& levels, int finest) {
  for (int level = finest; level > 0; --level)
    for (const auto& [block, wanted] : levels) {
      if (wanted != level) continue;
      for_each_around(levels, block,
                      [&](auto beside) { beside->second = std::max(beside->second, level - 1); });
    }
}

/// Where not all four children of a parent become coarser, none does.
bool keep_unmerged(Levels& levels) {
  bool changed = false;
  for (auto& [block, wanted] : levels) {
    if (wanted >= block[0]) continue;
    for (int x = 0; x < 2; ++x)
      for (int y = 0; y < 2; ++y) {
        const auto sibling = levels.find(child_of(parent_of(block), x, y));
        if (sibling != levels.end() && sibling->second < block[0]) continue;
        wanted = block[0];
        changed = true;
      }
  }
  return changed;
}

}  // namespace

Mesh::Mesh(int roots_x, int roots_y) : roots_(roots_x, roots_y) {
  for (int x = 0; x < roots_x; ++x)
    for (int y = 0; y < roots_y; ++y) leaves_.push_back({0, x, y});
}

bool Mesh::is_leaf(const BlockIndex& block) const { return std::ranges::binary_search(leaves_, block); }

bool Mesh::inside(const BlockIndex& b) const {
  return b[1] >= 0 && b[2] >= 0 && b[1] < roots_[0] << b[0] && b[2] < roots_[1] << b[0];
}

Beyond Mesh::beyond(const BlockIndex& block, int side) const {
  const int axis = axis_of(side);
  BlockIndex beside = block;
  beside[1 + axis] += is_upper(side) ? 1 : -1;
  if (!inside(beside)) return {};
  if (is_leaf(beside)) return {Beyond::Kind::same, {beside, {}}};
  if (block[0] > 0 && is_leaf(parent_of(beside))) return {Beyond::Kind::coarser, {parent_of(beside), {}}};
  const int near = is_upper(side) ? 0 : 1;
  const auto half = [&](int k) { return axis == 0 ? child_of(beside, near, k) : child_of(beside, k, near); };
  return {Beyond::Kind::finer, {half(0), half(1)}};
}

Mesh Mesh::adapted(const std::vector<BlockWish>& wishes, int finest) const {
  Levels levels;
  for (const auto& [block, wish] : wishes) {
    const int level = std::clamp(block[0] + static_cast<int>(wish) - static_cast<int>(Wish::same), 0, finest);
    const auto [known, is_new] = levels.emplace(block, level);
    known->second = std::max(known->second, level);
  }
  for (const auto& [block, wish] : wishes) {
    if (wish != Wish::finer) continue;
    const int level = std::min(block[0] + 1, finest);
    for_each_around(levels, block, [&](auto beside) {
      beside->second = std::max(beside->second, std::min(level, beside->first[0] + 1));
    });
  }
  do balance(levels, finest);
  while (keep_unmerged(levels));

  Mesh mesh;
  mesh.roots_ = roots_;
  for (const auto& [block, level] : levels) {
    if (level > block[0]) {
      for (int x = 0; x < 2; ++x)
        for (int y = 0; y < 2; ++y) mesh.leaves_.push_back(child_of(block, x, y));
    } else if (level == block[0]) {
      mesh.leaves_.push_back(block);
    } else if (block[1] % 2 == 0 && block[2] % 2 == 0) {
      mesh.leaves_.push_back(parent_of(block));
    }
  }
  std::ranges::sort(mesh.leaves_);
  return mesh;
}

}  // namespace samr
