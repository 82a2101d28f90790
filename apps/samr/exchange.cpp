// SPDX-License-Identifier: Apache-2.0
#include "exchange.hpp"

#include "solver.hpp"

namespace samr {

Box Exchange::wanted(const Placed& patch) const {
  return common(patch.box.grown(filling_ ? 0 : ghost_cells), now_.domain(patch.level));
}

Boxes Exchange::interpolated(const Placed& patch) const {
  const Box box = wanted(patch);
  return difference(box, before_.boxes_near(patch.level, box));
}

Boxes Exchange::sources(const Placed& patch) const {
  Boxes found = interpolated(patch);
  for (Box& box : found) box = sources_of(box, now_.domain(patch.level - 1));
  return found;
}

std::size_t Exchange::givers(const Placed& patch) const {
  std::size_t count = before_.near(patch.level, wanted(patch)).size() - (filling_ ? 0 : 1);
  if (patch.level == 0) return count;
  const Boxes needed = sources(patch);
  for (const Placed& below : now_.near(patch.level - 1, patch.box.coarsened().grown(nesting_cells())))
    count += std::ranges::any_of(needed, [&](const Box& box) { return overlap(box, below.box); });
  return count;
}

std::vector<Placed> Exchange::beside(int level, const Box& giver) const {
  std::vector<Placed> found = now_.near(level, giver.grown(ghost_cells));
  std::erase_if(found, [&](const Placed& patch) {
    return patch.box == giver || !wants(patch) || !overlap(wanted(patch), giver);
  });
  return found;
}

std::vector<Placed> Exchange::above(int level, const Box& giver) const {
  std::vector<Placed> found = now_.near(level + 1, giver.grown(nesting_cells()).refined());
  std::erase_if(found, [&](const Placed& patch) {
    return !wants(patch) ||
           std::ranges::none_of(sources(patch), [&](const Box& box) { return overlap(box, giver); });
  });
  return found;
}

}  // namespace samr
