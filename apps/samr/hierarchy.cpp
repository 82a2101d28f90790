// SPDX-License-Identifier: Apache-2.0
#include "hierarchy.hpp"

#include <span>
#include <tuple>

namespace samr {

Hierarchy::Hierarchy(const Box& domain, std::vector<Placed> patches)
    : domain_(domain), patches_(std::move(patches)) {
  std::ranges::sort(patches_, {}, [](const Placed& p) { return std::tuple(p.level, p.box); });
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    const auto level = static_cast<std::size_t>(patches_[i].level);
    while (longest_.size() <= level) {
      starts_.push_back(i);
      longest_.push_back({});
    }
    for (std::size_t a = 0; a < axes; ++a)
      longest_[level][a] = std::max(longest_[level][a], patches_[i].box.length(static_cast<int>(a)));
  }
  starts_.push_back(patches_.size());
}

Box Hierarchy::domain(int level) const {
  Box box = domain_;
  for (int l = 0; l < level; ++l) box = box.refined();
  return box;
}

std::span<const Placed> Hierarchy::level(int level) const {
  if (level < 0 || level >= levels()) return {};
  const auto l = static_cast<std::size_t>(level);
  return std::span(patches_).subspan(starts_[l], starts_[l + 1] - starts_[l]);
}

Boxes Hierarchy::boxes(int l) const {
  Boxes boxes;
  for (const Placed& patch : level(l)) boxes.push_back(patch.box);
  return boxes;
}

const Placed* Hierarchy::find(int l, const Box& box) const {
  const auto all = level(l);
  const auto found = std::ranges::lower_bound(all, box, {}, &Placed::box);
  return found != all.end() && found->box == box ? &*found : nullptr;
}

std::vector<Placed> Hierarchy::near(int l, const Box& box) const {
  std::vector<Placed> found;
  const auto all = level(l);
  if (all.empty()) return found;
  // A patch that begins before `least` along some axis does not reach the box.
  Cell least = box.first;
  for (std::size_t a = 0; a < axes; ++a) least[a] -= longest_[static_cast<std::size_t>(l)][a] - 1;
  auto each = all.begin();
  const auto skip_to = [&](const Cell& first) {
    each = std::lower_bound(each, all.end(), first,
                            [](const Placed& p, const Cell& c) { return p.box.first < c; });
  };
  skip_to(least);
  while (each != all.end()) {
    const Cell& first = each->box.first;
    if (first[0] >= box.end[0]) break;
    if (first[1] < least[1])
      skip_to({first[0], least[1], least[2]});
    else if (first[1] >= box.end[1])
      skip_to({first[0] + 1, least[1], least[2]});
    else if (first[2] < least[2])
      skip_to({first[0], first[1], least[2]});
    else if (first[2] >= box.end[2])
      skip_to({first[0], first[1] + 1, least[2]});
    else if (const Placed& here = *each++; overlap(here.box, box))
      found.push_back(here);
  }
  return found;
}

Boxes Hierarchy::boxes_near(int l, const Box& box) const {
  Boxes boxes;
  for (const Placed& patch : near(l, box)) boxes.push_back(patch.box);
  return boxes;
}

GridIndex parent_of(const Hierarchy& hierarchy, const Placed& patch) {
  const Box below = patch.box.coarsened();
  const auto shared = [&](const Placed& p) { return common(p.box, below).cells(); };
  return std::ranges::max(hierarchy.near(patch.level - 1, below), {}, shared).grid;
}

Boxes border(const Hierarchy& hierarchy, int level, const Box& box, int side) {
  const Box beyond = common(box.coarsened().beyond(side), hierarchy.domain(level - 1));
  Boxes same_level = hierarchy.boxes_near(level, box.grown(refinement));
  for (Box& each : same_level) each = each.coarsened();
  return difference(beyond, same_level);
}

std::string flaw_of(const Hierarchy& h) {
  if (cells_of(difference({h.domain(0)}, h.boxes(0))) != 0) return "level 0 does not cover the domain";
  for (int level = 0; level < h.levels(); ++level)
    for (const Placed& patch : h.level(level)) {
      const std::string name = "a patch of level " + std::to_string(level);
      if (!h.domain(level).contains(patch.box)) return name + " leaves the domain";
      if (h.near(level, patch.box).size() != 1) return name + " overlaps another";
      if (level == 0) continue;
      if (patch.box.coarsened().refined() != patch.box) return name + " has parts of coarse cells";
      const Box around = common(patch.box.coarsened().grown(nesting_cells()), h.domain(level - 1));
      if (!difference(around, h.boxes_near(level - 1, around)).empty()) return name + " is not nested";
    }
  return {};
}

}  // namespace samr
