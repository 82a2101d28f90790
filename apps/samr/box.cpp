// SPDX-License-Identifier: Apache-2.0
#include "box.hpp"

namespace samr {

std::int64_t Box::cells() const { return is_empty() ? 0 : std::int64_t{length(0)} * length(1) * length(2); }

bool Box::contains(const Cell& cell) const {
  for (std::size_t a = 0; a < axes; ++a)
    if (cell[a] < first[a] || cell[a] >= end[a]) return false;
  return true;
}

bool Box::contains(const Box& other) const { return common(*this, other) == other; }

int Box::longest_axis() const {
  int longest = 0;
  for (int axis = 1; axis < axes; ++axis)
    if (length(axis) > length(longest)) longest = axis;
  return longest;
}

Box Box::grown(int cells) const {
  Box box = *this;
  for (int axis = 0; axis < axes; ++axis) box = box.grown_along(axis, cells);
  return box;
}

Box Box::grown_along(int axis, int cells) const {
  Box box = *this;
  box.first[at(axis)] -= cells;
  box.end[at(axis)] += cells;
  return box;
}

Box Box::refined() const {
  Box box = *this;
  for (std::size_t a = 0; a < axes; ++a) box.first[a] *= refinement, box.end[a] *= refinement;
  return box;
}

Box Box::coarsened() const {
  Box box;
  for (std::size_t a = 0; a < axes; ++a) {
    box.first[a] = half_of(first[a]);
    box.end[a] = half_of(end[a] + 1);
  }
  return box;
}

Box Box::beyond(int side) const {
  Box box = *this;
  const std::size_t a = at(axis_of(side));
  if (is_upper(side)) {
    box.first[a] = end[a];
    box.end[a] = end[a] + 1;
  } else {
    box.end[a] = first[a];
    box.first[a] = first[a] - 1;
  }
  return box;
}

std::array<Box, 2> Box::cut(int axis, int place) const {
  std::array<Box, 2> halves{*this, *this};
  halves[0].end[at(axis)] = std::clamp(place, first[at(axis)], end[at(axis)]);
  halves[1].first[at(axis)] = halves[0].end[at(axis)];
  return halves;
}

Box scaled(Box box, int from_level, int to_level) {
  for (; from_level < to_level; ++from_level) box = box.refined();
  for (; from_level > to_level; --from_level) box = box.coarsened();
  return box;
}

Box common(const Box& a, const Box& b) {
  Box box;
  for (std::size_t i = 0; i < axes; ++i) {
    box.first[i] = std::max(a.first[i], b.first[i]);
    box.end[i] = std::min(a.end[i], b.end[i]);
  }
  return box;
}

Boxes difference(const Box& box, const Boxes& others) {
  Boxes left;
  if (!box.is_empty()) left.push_back(box);
  for (const Box& other : others) {
    if (left.empty()) break;
    if (!overlap(box, other)) continue;
    Boxes now;
    for (Box rest : left) {
      if (!overlap(rest, other)) {
        now.push_back(rest);
        continue;
      }
      // Cuts off slabs on both sides of the other box, axis by axis, until the rest is covered.
      for (int axis = 0; axis < axes; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const auto [below, not_below] = rest.cut(axis, other.first[a]);
        const auto [inside, above] = not_below.cut(axis, other.end[a]);
        if (!below.is_empty()) now.push_back(below);
        if (!above.is_empty()) now.push_back(above);
        rest = inside;
      }
    }
    left = std::move(now);
  }
  return left;
}

Boxes difference(const Boxes& boxes, const Boxes& others) {
  Boxes left;
  for (const Box& box : boxes) {
    const Boxes rest = difference(box, others);
    left.insert(left.end(), rest.begin(), rest.end());
  }
  return left;
}

std::int64_t cells_of(const Boxes& boxes) {
  std::int64_t cells = 0;
  for (const Box& box : boxes) cells += box.cells();
  return cells;
}

Box joined(const Box& a, const Box& b) {
  Box hull;
  for (std::size_t i = 0; i < axes; ++i) {
    hull.first[i] = std::min(a.first[i], b.first[i]);
    hull.end[i] = std::max(a.end[i], b.end[i]);
  }
  return !overlap(a, b) && hull.cells() == a.cells() + b.cells() ? hull : Box{};
}

}  // namespace samr
