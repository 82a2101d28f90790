// SPDX-License-Identifier: Apache-2.0
// A grid: patches of one level, first one, and after splitting and merging perhaps several. An element of a
// sparse array. The director says what all do next; each contributes once when it has done it.
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
  /// Without cells: they come by fill(), or from the start of the problem.
  Grid(int level, const Box& box, bool initial, skein::Array<Hierarchies> hierarchies,
       skein::Array<Director> director);
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& level_& patches_& hierarchies_& director_;
  }

  /// Makes the new grids whose parent it is, where it is itself. These do the same, and contribute, too.
  void refine(bool initial, skein::Future<void> done);
  /// A step of one level.
  skein::Flow advance(Turn turn, skein::Future<void> done);
  /// What is to be refined, of one level.
  skein::Flow flag(Turn turn, skein::Future<std::vector<Flagged>> done);
  /// New patches of one level get their cells; grids whose patches are no more end.
  skein::Flow fill(Turn turn, skein::Future<void> done);
  /// Of a level and the next, which has caught up: mean values and fluxes go down.
  skein::Flow correct(Turn turn, skein::Future<void> done);

  // Gravity of one level, in this order: sources, and the ends of its potential; cycles of multigrid, each
  // with what the one before left to be added, which tell what is missing; and kicks, which tell what wave
  // would have steps as long as the pull lets them be.
  skein::Flow attract(Turn turn, double mean_density, skein::Future<void> done);
  skein::Flow relax(Turn turn, Scalars correction, skein::Future<std::vector<Scalars>> done);
  skein::Flow kick(Turn turn, double mean_density, skein::Future<double> done);

  /// Particles of one level that have left it, or where new patches are, go where they belong.
  skein::Flow settle(Turn turn, bool adapted, skein::Future<void> done);

  /// The fastest wave or particle.
  void measure(skein::Future<double> done);
  void synchronize(int base);
  void resume_from_sync();
  void total(skein::Future<Totals> done);
  void give_cells(skein::Future<std::vector<FinalCell>> done);
  void give_particles(skein::Future<Particles> done);
  void give_slice(skein::Future<std::vector<PatchSlice>> done);

  // For the runtime: see Chare.
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
  /// Of a patch, what no finer one covers.
  Boxes bare(const Patch& patch) const;

  /// Puts in place what came for a patch.
  void put(const std::vector<std::tuple<int, Pieces>>& given, const Exchange& exchange, const Patch& patch,
           Field& into) const;
  void give_beside(const Exchange& exchange, const Turn& turn);
  void give_above(const Exchange& exchange, const Turn& turn);
  /// Cells with ghost cells, of each patch.
  skein::FlowOf<std::vector<Field>> surrounded(Turn turn);
  void open_borders(Patch& patch) const;
  void note_fluxes(Patch& patch, const Step& step) const;
  void give_finer(Patch& patch, const Turn& turn);

  void give_clouds(const Turn& turn);
  void give_pulls(const Turn& turn);
  Box ends_of(const Placed& patch) const;
  void begin_pulls(Patch& patch, const std::vector<std::tuple<int, Clouds>>& clouds,
                   const std::vector<std::tuple<int, PiecesOf<Pull>>>& below, double mean_density) const;
  /// Ghost cells of the potential from other patches of the level.
  skein::FlowOf<void> share_pulls(Turn turn);

  std::int32_t level_ = 0;
  std::vector<Patch> patches_;
  skein::Array<Hierarchies> hierarchies_;
  skein::Array<Director> director_;
};

}  // namespace samr
