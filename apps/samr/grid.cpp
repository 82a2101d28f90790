// SPDX-License-Identifier: Apache-2.0
#include "grid.hpp"

#include "problem.hpp"

namespace samr {

Grid::Grid(int level, const Box& box, bool initial, skein::Array<Hierarchies> hierarchies,
           skein::Array<Director> director)
    : level_(level), hierarchies_(hierarchies), director_(director) {
  Patch patch;
  patch.side = parameters().spacing(level);
  patch.now = initial ? initial_cells(parameters(), level, box) : Field(box);
  if (level == 0) patch.particles = initial_particles(parameters(), box);
  patches_.push_back(std::move(patch));
}

Boxes Grid::bare(const Patch& patch) const {
  Boxes finer = here().now().boxes_near(level_ + 1, patch.box().refined());
  for (Box& box : finer) box = box.coarsened();
  return difference(patch.box(), finer);
}

// ---- cells for other patches

void Grid::give_beside(const Exchange& exchange, const Turn& turn) {
  for (const Patch& patch : patches_)
    for (const Placed& to : exchange.beside(level_, patch.box()))
      array()[to.grid].send<&Grid::pieces>(turn.number,
                                           Pieces{to.box, false, {patch.now.piece(exchange.wanted(to))}});
}

void Grid::give_above(const Exchange& exchange, const Turn& turn) {
  for (const Patch& patch : patches_)
    for (const Placed& to : exchange.above(level_, patch.box())) {
      Pieces given{to.box, true, {}};
      for (const Box& box : exchange.sources(to))
        if (overlap(box, patch.box()))
          given.cells.push_back(turn.fraction == 1
                                    ? patch.now.piece(box)
                                    : between(patch.old.piece(box), patch.now.piece(box), turn.fraction));
      array()[to.grid].send<&Grid::pieces>(turn.number, std::move(given));
    }
}

void Grid::put(const std::vector<std::tuple<int, Pieces>>& given, const Exchange& exchange,
               const Patch& patch, Field& into) const {
  samr::put(given, exchange, placed(patch), here().now().domain(level_ - 1), parameters().heat_ratio, into);
}

skein::FlowOf<std::vector<Field>> Grid::surrounded(Turn turn) {
  const Hierarchy& hierarchy = here().now();
  const Exchange exchange = Exchange::of_ghosts(hierarchy);
  give_beside(exchange, turn);
  std::size_t expected = 0;
  for (const Patch& patch : patches_) expected += exchange.givers(placed(patch));
  const auto given = co_await when<&Grid::pieces>(expected).matching(turn.number);
  std::vector<Field> found;
  for (const Patch& patch : patches_) {
    Field& around = found.emplace_back(patch.box().grown(ghost_cells));
    put(given, exchange, patch, around);
    around.paste(patch.now);
    fill_beyond(parameters(), level_, turn.time, around);
  }
  co_return found;
}

// ---- a step

skein::Flow Grid::advance(Turn turn, skein::Future<void> done) {
  if (level_ + 1 == turn.level) give_above(Exchange::of_ghosts(here().now()), turn);
  if (level_ == turn.level) {
    const std::vector<Field> around = co_await surrounded(turn);
    for (std::size_t i = 0; i < patches_.size(); ++i) {
      Patch& patch = patches_[i];
      Step step =
          advanced(around[i], patch.box(), turn.dt / parameters().spacing(level_), parameters().heat_ratio);
      if (turn.part == 0) open_borders(patch);
      note_fluxes(patch, step);
      patch.old = std::exchange(patch.now, std::move(step.cells));
      if (parameters().gravity > 0) keep_warm(patch.now, parameters().coldest, parameters().heat_ratio);
      drift(patch.particles, here().now().domain(level_), patch.side, turn.time + turn.dt);
    }
  }
  contribute(skein::to(done));
}

void Grid::open_borders(Patch& patch) const {
  patch.at_coarser.clear();
  if (level_ == 0) return;
  for (int side = 0; side < sides; ++side)
    for (const Box& cells : border(here().now(), level_, patch.box(), side))
      patch.at_coarser.push_back({side, Field(cells)});
}

void Grid::note_fluxes(Patch& patch, const Step& step) const {
  for (FluxPlane& plane : patch.at_coarser) add_fine_fluxes(plane, step);
  patch.at_finer.clear();
  const Hierarchy& hierarchy = here().now();
  for (const Placed& finer : hierarchy.near(level_ + 1, patch.box().grown(1).refined()))
    for (int side = 0; side < sides; ++side)
      for (const Box& cells : border(hierarchy, level_ + 1, finer.box, side))
        if (overlap(cells, patch.box()))
          patch.at_finer.push_back(coarse_fluxes(step, side, common(cells, patch.box())));
}

void Grid::give_finer(Patch& patch, const Turn& turn) {
  const Field means = averaged(patch.now);
  for (const Placed& to : here().now().near(level_ - 1, means.box().grown(1)))
    array()[to.grid].send<&Grid::finer>(turn.number,
                                        Finer{to.box, means.piece(to.box), inside(patch.at_coarser, to.box)});
  patch.at_coarser.clear();
}

skein::Flow Grid::correct(Turn turn, skein::Future<void> done) {
  if (level_ == turn.level + 1)
    for (Patch& patch : patches_) give_finer(patch, turn);
  if (level_ == turn.level) {
    std::size_t expected = 0;
    for (const Patch& patch : patches_)
      expected += here().now().near(level_ + 1, patch.box().grown(1).refined()).size();
    const auto given = co_await when<&Grid::finer>(expected).matching(turn.number);
    for (Patch& patch : patches_) {
      FluxPlanes fluxes;
      for (const auto& [number, from] : given)
        if (from.patch == patch.box()) fluxes.insert(fluxes.end(), from.fluxes.begin(), from.fluxes.end());
      samr::correct(patch.now, patch.at_finer, std::move(fluxes), turn.dt / parameters().spacing(level_));
      for (const auto& [number, from] : given)
        if (from.patch == patch.box()) patch.now.paste(from.cells);
      if (parameters().gravity > 0) keep_warm(patch.now, parameters().coldest, parameters().heat_ratio);
      patch.at_finer.clear();
    }
  }
  contribute(skein::to(done));
}

void Grid::measure(skein::Future<double> done) {
  double fastest = 0;
  for (const Patch& patch : patches_)
    fastest =
        std::max({fastest, fastest_wave(patch.now, parameters().heat_ratio), fastest_of(patch.particles)});
  contribute(fastest, skein::greatest, skein::to(done));
}

// ---- the hierarchy

skein::Flow Grid::flag(Turn turn, skein::Future<std::vector<Flagged>> done) {
  std::vector<Flagged> flagged;
  if (level_ + 1 == turn.level) give_above(Exchange::of_ghosts(here().now()), turn);
  if (level_ == turn.level) {
    const std::vector<Field> around = co_await surrounded(turn);
    for (std::size_t i = 0; i < patches_.size(); ++i)
      for (const Box& row :
           rows_to_refine(around[i], patches_[i].box(),
                          {parameters().steepness, parameters().densest(level_), parameters().buffer},
                          parameters().heat_ratio))
        flagged.push_back({level_, row});
  }
  contribute(std::move(flagged), skein::concat, skein::to(done));
}

void Grid::refine(bool initial, skein::Future<void> done) {
  const Hierarchy &now = here().now(), &before = here().before();
  std::vector<Placed> above;
  for (const Patch& patch : patches_)
    for (const Placed& child : now.near(level_ + 1, patch.box().refined()))
      if (!before.find(child.level, child.box) && parent_of(now, child) == index() &&
          std::ranges::find(above, child) == above.end())
        above.push_back(child);
  for (const Placed& child : above) {
    array()[child.grid].insert_on(skein::this_pe(), child.level, child.box, initial, hierarchies_, director_);
    array()[child.grid].send<&Grid::refine>(initial, done);
  }
  contribute(skein::to(done));
}

skein::Flow Grid::fill(Turn turn, skein::Future<void> done) {
  const Hierarchies& hierarchies = here();
  const Exchange exchange = Exchange::to_fill(hierarchies.now(), hierarchies.before());
  if (level_ + 1 == turn.level) give_above(exchange, turn);
  if (level_ == turn.level) {
    std::size_t expected = 0;
    bool is_new = false;
    for (const Patch& patch : patches_)
      if (const Placed* const known = hierarchies.now().find(level_, patch.box());
          known && known->grid == index() && exchange.wants(*known)) {
        expected += exchange.givers(*known);
        is_new = true;
      }
    if (!is_new) give_beside(exchange, turn);
    const auto given = co_await when<&Grid::pieces>(expected).matching(turn.number);
    if (is_new)
      for (Patch& patch : patches_) put(given, exchange, patch, patch.now);
    std::erase_if(patches_, [&](const Patch& patch) {
      const Placed* const known = here().now().find(level_, patch.box());
      return !known || known->grid != index();
    });
  }
  contribute(skein::to(done));
  if (patches_.empty()) destroy();
}

}  // namespace samr
