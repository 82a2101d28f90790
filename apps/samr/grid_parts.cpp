// SPDX-License-Identifier: Apache-2.0
// Grids at sync points, and what is told of them: what has to do with where they are and with results.
#include "grid.hpp"
#include "problem.hpp"

namespace samr {

// ---- sync points

void Grid::synchronize(int base) {
  if (level_ >= base)
    for (Patch& patch : patches_) patch.close();
  at_sync();
}

void Grid::resume_from_sync() {
  std::vector<Placed> all;
  for (const Patch& patch : patches_) all.push_back(placed(patch));
  contribute(std::move(all), skein::concat, skein::to<&Director::placed>(director_[0]));
}

// What it costs until level 0 has gone a step: what was measured says nothing of grids that are new.
double Grid::load() const {
  constexpr double seconds_a_cell = 1e-6;
  constexpr double cells_a_particle = 0.3;
  double cells = 0;
  for (const Patch& patch : patches_)
    cells += static_cast<double>(patch.box().cells()) +
             cells_a_particle * static_cast<double>(patch.particles.size());
  return seconds_a_cell * cells * (1 << level_);
}

std::array<float, 3> Grid::position() const {
  const Box& box = patches_.front().box();
  std::array<float, 3> middle{};
  for (std::size_t a = 0; a < axes; ++a)
    middle[a] = static_cast<float>(0.5 * (box.first[a] + box.end[a]) * parameters().spacing(level_));
  return middle;
}

std::unique_ptr<Grid> Grid::split(double fraction) {
  std::int64_t cells = 0;
  for (const Patch& patch : patches_) cells += patch.box().cells();
  auto part = std::make_unique<Grid>();
  part->level_ = level_;
  part->hierarchies_ = hierarchies_;
  part->director_ = director_;
  double left = fraction * static_cast<double>(cells);
  while (left >= 1) {
    const auto size = static_cast<double>(patches_.back().box().cells());
    if (left >= size && patches_.size() > 1) {
      part->patches_.push_back(std::move(patches_.back()));
      patches_.pop_back();
    } else {
      std::vector<Patch> halves = divided(std::move(patches_.back()), left / size);
      patches_.back() = std::move(halves[0]);
      if (halves.size() == 2) part->patches_.push_back(std::move(halves[1]));
      break;
    }
    left -= size;
  }
  return part->patches_.empty() ? nullptr : std::move(part);
}

void Grid::merge(Grid&& part) {
  std::ranges::move(part.patches_, std::back_inserter(patches_));
  patches_ = joined(std::move(patches_));
}

// ---- results

void Grid::total(skein::Future<Totals> done) {
  Totals totals;
  const double h = parameters().spacing(level_), volume = h * h * h;
  for (const Patch& patch : patches_) {
    totals.cells += static_cast<std::uint64_t>(patch.box().cells());
    for (const Box& box : bare(patch))
      for_each_cell(box, [&](const Cell& c) {
        totals.mass += volume * patch.now[c].mass();
        totals.energy += volume * patch.now[c].energy();
      });
    totals.fingerprint += fingerprint(patch, level_);
    totals.particles += patch.particles.size();
    for (const Particle& p : patch.particles) totals.mass += p.mass;
  }
  contribute(totals, skein::sum, skein::to(done));
}

void Grid::give_cells(skein::Future<std::vector<FinalCell>> done) {
  std::vector<FinalCell> cells;
  for (const Patch& patch : patches_)
    for (const Box& box : bare(patch))
      for_each_cell(box, [&](const Cell& c) {
        cells.push_back({level_, c, gas_of(patch.now[c], parameters().heat_ratio)});
      });
  contribute(std::move(cells), skein::concat, skein::to(done));
}

void Grid::give_slice(skein::Future<std::vector<PatchSlice>> done) {
  contribute(sliced(patches_, level_, skein::this_pe(), parameters()), skein::concat, skein::to(done));
}

}  // namespace samr
