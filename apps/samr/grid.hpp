// SPDX-License-Identifier: Apache-2.0
// A grid: patches of one level, at first one, after splitting and merging perhaps several. An element of a
// sparse array. The director tells all grids the next action; each contributes once when it has done it.
#pragma once

#include <memory>

#include "director.hpp"
#include "hierarchies.hpp"
#include "patch.hpp"
#include "pieces.hpp"
#include "slices.hpp"

namespace samr {

class Grid : public skein::Chare<Grid, GridIndex> {
 public:
  skein::Awaited<void(int turn, Pieces)> pieces;
  skein::Awaited<void(int turn, Finer)> finer;
  skein::Awaited<void(int turn, Clouds)> clouds;
  skein::Awaited<void(int turn, PiecesOf<Pull>)> pulls;
  skein::Awaited<void(int turn, Arrivals)> arrivals;

  Grid() = default;
  /// Makes a grid without cells: they come by fill(), or from the start of the problem.
  Grid(int level, const Box& box, bool initial, skein::Array<Hierarchies> hierarchies,
       skein::Array<Director> director);
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& level_& patches_& hierarchies_& director_;
  }

  /// Makes the new grids of which it is the parent, on its own PE. These grids do the same, and contribute,
  /// too.
  void refine(bool initial, skein::Future<void> done);
  /// Makes a step of one level.
  skein::Flow advance(Turn turn, skein::Future<void> done);
  /// Contributes the cells of one level that are to be refined.
  skein::Flow flag(Turn turn, skein::Future<std::vector<Flagged>> done);
  /// Fills the new patches of one level with cells; grids whose patches are gone end.
  skein::Flow fill(Turn turn, skein::Future<void> done);
  /// Passes mean values and fluxes down to a level from the next one, which has caught up.
  skein::Flow correct(Turn turn, skein::Future<void> done);

  // Gravity of one level, in this order: attract() finds the sources, and the ends of the potential; relax()
  // makes a cycle of multigrid, adds the last cycle's correction, and contributes the residuals; kick()
  // contributes the speed of a wave whose steps would be as long as the pull allows.
  skein::Flow attract(Turn turn, double mean_density, skein::Future<void> done);
  skein::Flow relax(Turn turn, Scalars correction, skein::Future<std::vector<Scalars>> done);
  skein::Flow kick(Turn turn, double mean_density, skein::Future<double> done);

  /// Sends particles of one level to their patches, if they have left theirs or there are new patches.
  skein::Flow settle(Turn turn, bool adapted, skein::Future<void> done);

  /// Contributes the speed of the fastest wave or particle.
  void measure(skein::Future<double> done);
  void synchronize(int base);
  void resume_from_sync();
  void total(skein::Future<Totals> done);
  void give_cells(skein::Future<std::vector<FinalCell>> done);
  void give_particles(skein::Future<Particles> done);
  void give_slice(skein::Future<std::vector<PatchSlice>> done);

  // Called by the runtime, see Chare.
  double load() const;
  int lb_level() const { return level_; }
  std::array<float, 3> position() const;
  std::unique_ptr<Grid> split(double fraction);
  void merge(Grid&& part);

 private:
  const Hierarchies& here() const { return *hierarchies_[skein::this_pe()].local(); }
  const Parameters& parameters() const { return here().parameters(); }
  Placed placed(const Patch& patch) const { return {level_, patch.box(), index()}; }
  Patch& patch_of(const Box& box) { return *std::ranges::find(patches_, box, &Patch::box); }
  /// Returns the cells of a patch that no finer patch covers.
  Boxes bare(const Patch& patch) const;

  /// Puts the cells that came for a patch in place.
  void put(const std::vector<std::tuple<int, Pieces>>& given, const Exchange& exchange, const Patch& patch,
           Field& into) const;
  void give_beside(const Exchange& exchange, const Turn& turn);
  void give_above(const Exchange& exchange, const Turn& turn);
  /// Returns, for each patch, its cells with ghost cells.
  skein::FlowOf<std::vector<Field>> surrounded(Turn turn);
  void open_borders(Patch& patch) const;
  void note_fluxes(Patch& patch, const Step& step) const;
  void give_finer(Patch& patch, const Turn& turn);

  void give_clouds(const Turn& turn);
  void give_pulls(const Turn& turn);
  Box ends_of(const Placed& patch) const;
  void begin_pulls(Patch& patch, const std::vector<std::tuple<int, Clouds>>& clouds,
                   const std::vector<std::tuple<int, PiecesOf<Pull>>>& below, double mean_density) const;
  /// Gets the ghost cells of the potential from other patches of the level.
  skein::FlowOf<void> share_pulls(Turn turn);

  std::int32_t level_ = 0;
  std::vector<Patch> patches_;
  skein::Array<Hierarchies> hierarchies_;
  skein::Array<Director> director_;
};

}  // namespace samr
