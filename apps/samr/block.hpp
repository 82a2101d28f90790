// SPDX-License-Identifier: Apache-2.0
// One block of the mesh, or a part of one: an element of a sparse array. A block has the index of its place
// in the mesh; strategies may split it by rows, and its parts have indices of the runtime's. Which rows are
// where changes nothing in what is computed.
//
// A time step is a sweep along one axis and then along the other, which first changing from step to step;
// each band of rows goes on by itself.
#pragma once

#include <memory>

#include "band.hpp"
#include "director.hpp"

namespace samr {

class Meshes;

class Block : public skein::Chare<Block, BlockIndex> {
 public:
  Block() = default;
  Block(const Parameters& parameters, skein::Array<Meshes> meshes, skein::Array<Director> director)
      : parameters_(parameters),
        meshes_(meshes),
        director_(director),
        bands_{{{index(), {0, parameters.cells}}, Patch(parameters.cells, parameters.cells)}},
        cells_missing_(parameters.cells * parameters.cells) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& parameters_& meshes_& director_& bands_& cells_missing_;
  }

  /// A new block's cells: those of the start,
  void begin();
  /// or a piece of them, from its parent or its children, of which (x, y) is the lower left.
  void fill(int x, int y, const Patch& piece);

  /// A time step. Then, as after everything else that the director asks for, the element contributes once.
  void advance(double dt, int first_axis);
  void tell_wish();
  /// The mesh has changed: the block stays, gives its cells to four children, or to a parent.
  void remesh(bool initial);
  void synchronize() { at_sync(); }
  void resume_from_sync();
  void report();
  /// Contributes the cells, to be written.
  void give_cells();

  /// For a band: ghost cells beyond a side, and fluxes through faces of one, from a finer block.
  void take_ghosts(Given given);
  void take_fluxes(const Given& given);
  /// From itself: the fluxes of a band.
  void compute(int first_row);

  // For the runtime: see Chare.
  std::array<float, 3> position() const;
  std::unique_ptr<Block> split(double fraction);
  void merge(Block&& part);

 private:
  enum class Awaits : std::int32_t { nothing, sweeps, seams };

  const Meshes& meshes() const;
  BlockIndex block() const { return bands_.front().rows().block; }
  double spacing() const { return parameters_.spacing(block()[0]); }
  Band& band_at(int first_row);
  void ready();

  void begin_sweep(Band& band, int axis);
  /// Sends what those beyond the side need, and tells what they are.
  Beyond::Kind exchange(Band& band, int side);
  void go_on(Band& band);
  void end_sweep(Band& band);
  void send_fluxes(Band& band, int side);
  void try_wish();
  void give_to_children(bool initial);
  void give_to_parent();

  Parameters parameters_;
  skein::Array<Meshes> meshes_;
  skein::Array<Director> director_;
  std::vector<Band> bands_;  // from below; not empty, and none begins where another ends
  std::int32_t cells_missing_ = 0;

  // Of what is under way; nothing while the element moves.
  Awaits awaits_ = Awaits::nothing;
  int first_axis_ = 0;
  double ratio_ = 0;  // time step to side of a cell
  std::size_t bands_left_ = 0;
};

}  // namespace samr
