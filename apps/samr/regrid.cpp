// SPDX-License-Identifier: Apache-2.0
#include "regrid.hpp"

namespace samr {
namespace {

/// Returns, for the levels base, base + 1 and so on, the cells that must not be refined, because the refined
/// cells would be too near to the end of the level `base`.
std::vector<Boxes> forbidden(const Hierarchy& h, int base, int finest) {
  std::vector<Boxes> found;
  Boxes outside = difference({h.domain(base)}, h.boxes(base));
  for (int level = base; level < finest; ++level) {
    for (Box& box : outside) {
      if (level > base) box = box.refined();
      box = common(box.grown(nesting_cells()), h.domain(level));
    }
    found.push_back(outside);
  }
  return found;
}

void add_cells(const Box& box, std::vector<Cell>& cells) {
  for_each_cell(box, [&](const Cell& c) { cells.push_back(c); });
}

/// Adds the cells of a level that must be refined so that boxes two levels above are nested.
void add_nest(const Boxes& boxes, const Box& domain, std::vector<Cell>& cells) {
  for (const Box& box : boxes)
    add_cells(common(box.coarsened().grown(nesting_cells()).coarsened(), domain), cells);
}

void keep_single(std::vector<Cell>& cells, const Boxes& not_in) {
  std::ranges::sort(cells);
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  std::erase_if(cells, [&](const Cell& c) {
    return std::ranges::any_of(not_in, [&](const Box& box) { return box.contains(c); });
  });
}

void cut(const Box& box, int greatest, Boxes& pieces) {
  const int axis = box.longest_axis(), length = box.length(axis);
  if (length <= greatest) return pieces.push_back(box);
  const int count = (length + greatest - 1) / greatest;
  const int half = (length * (count / 2) / count + 1) / refinement * refinement;
  for (const Box& piece : box.cut(axis, box.first[static_cast<std::size_t>(axis)] + half))
    cut(piece, greatest, pieces);
}

}  // namespace

Boxes roots_of(const Box& domain, int least, int greatest, std::size_t count) {
  Boxes roots;
  cut(domain, greatest, roots);
  while (roots.size() < count && (greatest /= 2) >= std::max(least, 2 * refinement)) {
    roots.clear();
    cut(domain, greatest, roots);
  }
  return roots;
}

std::vector<Boxes> regridded(const Hierarchy& h, int base, int finest, const std::vector<Flagged>& flags,
                             const Clustering& how) {
  const std::vector<Boxes> not_refined = forbidden(h, base, finest);
  std::vector<Boxes> levels(static_cast<std::size_t>(finest - base));
  for (int level = finest - 1; level >= base; --level) {
    const auto i = static_cast<std::size_t>(level - base);
    std::vector<Cell> cells;
    for (const Flagged& flag : flags)
      if (flag.level == level) add_cells(common(flag.cells, h.domain(level)), cells);
    if (i + 1 < levels.size()) add_nest(levels[i + 1], h.domain(level), cells);
    keep_single(cells, not_refined[i]);
    levels[i] = difference(clustered(std::move(cells), how), not_refined[i]);
    for (Box& box : levels[i]) box = box.refined();
  }
  return levels;
}

}  // namespace samr
