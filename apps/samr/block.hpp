// SPDX-License-Identifier: Apache-2.0
// One block of the mesh: an element of a sparse array. A time step is a sweep along one axis and then along
// the other, which first changing from step to step. In a sweep neighbours exchange ghost cells; then fluxes
// are computed, and where a side has finer blocks beyond, theirs are used: what leaves one block enters
// another, so that mass and energy are conserved to rounding.
#pragma once

#include "director.hpp"
#include "mesh.hpp"
#include "parameters.hpp"

namespace samr {

class Meshes;

class Block : public skein::Chare<Block, BlockIndex> {
 public:
  Block() = default;
  Block(const Parameters& parameters, skein::Array<Meshes> meshes, skein::Array<Director> director)
      : parameters_(parameters), meshes_(meshes), director_(director) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& parameters_& meshes_& director_& patch_& quarters_missing_;
    for (Side& side : sides_) ar& side.ghosts;
  }

  /// A new block's cells: those of the start,
  void begin();
  /// or those of its parent,
  void fill(const Patch& patch);
  /// or those of its four children.
  void take_child(int x, int y, const Patch& child);

  /// A time step. Then, as after everything else that the director asks for, the block contributes once.
  void advance(double dt, int first_axis);
  void tell_wish();
  /// The mesh has changed: the block stays, gives its cells to four children, or to a parent.
  void remesh(bool initial);
  void synchronize() { at_sync(); }
  void resume_from_sync() { ready(); }
  void report();
  /// Contributes the cells, to be written.
  void give_cells();

  /// Ghost cells beyond a side; of half 0 or 1 of it when they are from a finer block, else -1.
  void take_ghosts(int side, int half, const Strip& strip);
  /// Fluxes through half 0 or 1 of a side, from a finer block.
  void take_fluxes(int side, int half, const std::vector<State>& fluxes);

 private:
  struct Side {
    Strip ghosts;               ///< also between sweeps: for tell_wish()
    std::vector<State> fluxes;  ///< from finer blocks, turned
    int ghosts_missing = 0;     ///< messages of them in this sweep, below 0 those that came early
    int fluxes_missing = 0;
  };
  enum class Awaits : std::int32_t { nothing, ghosts, fluxes };

  Side& side(int s) { return sides_[static_cast<std::size_t>(s)]; }
  const Mesh& mesh() const;
  void ready();
  void begin_sweep();
  void exchange(int s);
  void try_fluxes();
  void compute_fluxes();
  void send_fluxes(int s);
  void try_update();
  double longest_step() const;
  bool steeper_than(double jump) const;

  Parameters parameters_;
  skein::Array<Meshes> meshes_;
  skein::Array<Director> director_;
  Patch patch_;
  std::array<Side, sides> sides_;
  std::int32_t quarters_missing_ = 4;

  // Of the sweep under way; nothing while the element moves.
  Awaits awaits_ = Awaits::nothing;
  int axis_ = 0, sweeps_left_ = 0;
  double ratio_ = 0;           // time step to side of a cell
  std::vector<State> fluxes_;  // (n + 1) a row, turned
};

}  // namespace samr
