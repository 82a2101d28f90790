// SPDX-License-Identifier: Apache-2.0
// The potential of a level: its sources, its cycles of multigrid, and its effect on gas and particles.
#include "grid.hpp"

namespace samr {

// ---- sources and ends

// All particles of a level are also clouds in each coarser level, and clouds reach into neighbouring patches.
void Grid::give_clouds(const Turn& turn) {
  const Hierarchy& hierarchy = here().now();
  for (const Patch& patch : patches_) {
    const Box reached = scaled(patch.box(), level_, turn.level).grown(1);
    Masses masses;
    if (!patch.particles.empty()) {
      masses = Masses(reached);
      add_clouds(patch.particles, hierarchy.domain(turn.level), parameters().spacing(turn.level), masses);
    }
    for (const Placed& to : hierarchy.near(turn.level, reached))
      array()[to.grid].send<&Grid::clouds>(turn.number, Clouds{to.box, masses.piece(to.box)});
  }
}

void Grid::give_pulls(const Turn& turn) {
  const Hierarchy& hierarchy = here().now();
  for (const Patch& patch : patches_)
    for (const Placed& to : hierarchy.near(turn.level, patch.box().grown(nesting_cells()).refined()))
      if (const Box wanted = ends_of(to); overlap(wanted, patch.box()))
        array()[to.grid].send<&Grid::pulls>(turn.number,
                                            PiecesOf<Pull>{to.box, true, {patch.pulls.piece(wanted)}});
}

/// Returns the cells of the level below from which the potential around a patch is interpolated.
Box Grid::ends_of(const Placed& patch) const {
  const Hierarchy& hierarchy = here().now();
  return sources_of(common(patch.box.grown(ghost_cells), hierarchy.domain(patch.level)),
                    hierarchy.domain(patch.level - 1));
}

void Grid::begin_pulls(Patch& patch, const std::vector<std::tuple<int, Clouds>>& clouds,
                       const std::vector<std::tuple<int, PiecesOf<Pull>>>& below, double mean_density) const {
  const Hierarchy& hierarchy = here().now();
  Pulls begun(patch.box().grown(ghost_cells));
  if (level_ > 0) {
    Pulls ends(ends_of(placed(patch)));
    for (const auto& [turn, pieces] : below)
      if (pieces.patch == patch.box()) ends.paste(pieces.cells.front());
    interpolate(ends, hierarchy.domain(level_ - 1), common(begun.box(), hierarchy.domain(level_)), begun);
  }
  // The potential of the last step is a better start; but adapted levels begin anew, and a divided grid does
  // not have all of it.
  if (level_ == 0) begun.paste(patch.pulls);
  Masses masses(patch.box());
  for (const auto& [turn, cloud] : clouds)
    if (cloud.patch == patch.box())
      for_each_cell(cloud.masses.box(), [&](const Cell& c) { masses[c] += cloud.masses[c]; });
  const double volume = patch.side * patch.side * patch.side;
  for_each_cell(patch.box(), [&](const Cell& c) {
    const double density = patch.now[c].mass() + masses[c].value() / volume;
    begun[c].source = parameters().gravity * (density - mean_density);
  });
  patch.pulls = std::move(begun);
}

skein::Flow Grid::attract(Turn turn, double mean_density, skein::Future<void> done) {
  const bool has_particles = parameters().gas_share < 1;
  if (level_ + 1 == turn.level) give_pulls(turn);
  if (level_ + 1 >= turn.level && has_particles) give_clouds(turn);
  if (level_ == turn.level) {
    const Hierarchy& hierarchy = here().now();
    std::size_t clouds_expected = 0, ends_expected = 0;
    for (const Patch& patch : patches_) {
      for (int level = std::max(0, level_ - 1); level < hierarchy.levels() && has_particles; ++level)
        clouds_expected += hierarchy.near(level, scaled(patch.box().grown(1), level_, level)).size();
      if (level_ > 0) ends_expected += hierarchy.near(level_ - 1, ends_of(placed(patch))).size();
    }
    const auto clouds = co_await when<&Grid::clouds>(clouds_expected).matching(turn.number);
    const auto ends = co_await when<&Grid::pulls>(ends_expected).matching(turn.number);
    for (Patch& patch : patches_) begin_pulls(patch, clouds, ends, mean_density);
  }
  contribute(skein::to(done));
}

// ---- the potential

skein::FlowOf<void> Grid::share_pulls(Turn turn) {
  const Hierarchy& hierarchy = here().now();
  std::size_t expected = 0;
  for (const Patch& patch : patches_)
    for (const Placed& beside : hierarchy.near(level_, patch.box().grown(ghost_cells))) {
      if (beside.box == patch.box()) continue;
      ++expected;
      array()[beside.grid].send<&Grid::pulls>(
          turn.number,
          PiecesOf<Pull>{
              beside.box, false, {patch.pulls.piece(common(patch.box(), beside.box.grown(ghost_cells)))}});
    }
  const auto given = co_await when<&Grid::pulls>(expected).matching(turn.number);
  for (Patch& patch : patches_)
    for (const auto& [number, pieces] : given)
      if (pieces.patch == patch.box()) patch.pulls.paste(pieces.cells.front());
}

skein::Flow Grid::relax(Turn turn, Scalars correction, skein::Future<std::vector<Scalars>> done) {
  std::vector<Scalars> residuals;
  if (level_ == turn.level) {
    const Hierarchy& hierarchy = here().now();
    const Box domain = hierarchy.domain(level_);
    for (Patch& patch : patches_)
      if (!correction.is_empty()) add_interpolated(correction, domain.coarsened(), patch.box(), patch.pulls);
    co_await share_pulls(turn);
    for (Patch& patch : patches_) {
      const Boxes level = hierarchy.boxes_near(level_, patch.box().grown(2));
      // Also relaxes the neighbours' cells here, so that patches exchange only once a sweep.
      for (const int colour : {0, 1})
        samr::relax(patch.pulls, patch.box().grown(2 - colour), level, domain, patch.side, colour);
      residuals.push_back(coarse_residual(patch.pulls, patch.box(), domain, patch.side));
    }
  }
  contribute(std::move(residuals), skein::concat, skein::to(done));
}

// ---- the effect

skein::Flow Grid::kick(Turn turn, double mean_density, skein::Future<double> done) {
  double speed = 0;
  if (level_ == turn.level) {
    co_await share_pulls(turn);
    const Box domain = here().now().domain(level_);
    for (Patch& patch : patches_) {
      for_each_cell(patch.box(), [&](const Cell& c) {
        double strongest = 0;
        for (int axis = 0; axis < axes; ++axis) {
          const double along = pull_along(patch.pulls, domain, c, axis, patch.side);
          strongest = std::max(strongest, std::abs(along));
          pull(patch.now[c], axis, turn.pulled * along);
        }
        // The speed of a fall through a cell from rest; and a fifth of the time in which the mass here
        // collapses.
        const double denser = patch.pulls[c].source + parameters().gravity * mean_density;
        speed = std::max({speed, std::sqrt(strongest * patch.side), 5 * patch.side * std::sqrt(denser)});
      });
      samr::kick(patch.particles, patch.pulls, domain, patch.side, turn.time + turn.dt / 2);
      patch.pulls = patch.pulls.piece(patch.box());
    }
  }
  contribute(speed, skein::greatest, skein::to(done));
}

}  // namespace samr
