// SPDX-License-Identifier: Apache-2.0
// Rows of a block that lie together, and what is known of the cells around them. It computes; that which
// goes from band to band its element sends.
//
// In a sweep along an axis bands exchange ghost cells; then fluxes are computed, and where a side has finer
// blocks beyond, theirs are used: what leaves one block enters another, so that mass and energy are conserved
// to rounding.
#pragma once

#include "parameters.hpp"
#include "parts.hpp"

namespace samr {

/// What a band gets from one beyond a side: cells or fluxes of some places along the side, counted as the
/// coarser of both blocks counts.
struct Given {
  std::int32_t first_row = 0;  ///< of the band that it is for
  std::int32_t side = 0;       ///< of that band
  Beyond::Kind beyond{};       ///< what the giver is, for that band
  Span places;
  std::vector<State> states;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& first_row& side& beyond& places& states;
  }
};

class Band {
 public:
  Band() = default;
  Band(const Rows& rows, Patch patch) : rows_(rows), patch_(std::move(patch)) {}
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& rows_& patch_;
    for (Side& side : sides_) ar& side.ghosts;
  }

  const Rows& rows() const { return rows_; }
  /// Cells of the block along each axis.
  int n() const { return patch_.columns(); }
  const Patch& patch() const { return patch_; }
  Patch& patch() { return patch_; }

  // ---- the exchange of ghost cells along an axis

  void set_ghosts(int side, Strip ghosts) { this->side(side).ghosts = std::move(ghosts); }
  /// Waits for the cells beyond a side. They may have come already.
  void await_ghosts(int side, Beyond::Kind beyond);
  void take_ghosts(Given given);
  /// No side of that axis waits.
  bool has_ghosts(int axis) const;
  /// What a band beyond a side is to get of these cells.
  Strip ghosts_for(int side, Beyond::Kind beyond, const Span& places) const;

  // ---- a sweep

  void begin_sweep(int axis, double ratio);
  int axis() const { return axis_; }
  /// Whether all has come that fluxes are computed from; true once in a sweep.
  bool begins_to_compute();
  void compute_fluxes();
  /// Of finer bands beyond sides of the axis.
  void await_fluxes(int side);
  void take_fluxes(const Given& given);
  /// What a coarser band beyond takes: the mean of the fluxes through the two faces of each of its own.
  std::vector<State> fluxes_for(int side, const Span& places) const;
  /// Where all fluxes are there. Whether it was done, which ends the sweep.
  bool try_update();

  // ---- what is in it

  double fastest_wave() const;
  /// Whether density or pressure differ by more than that between neighbours. Ghost cells are looked at too:
  /// a jump may be right at the side of a block.
  bool steeper_than(double jump) const;
  /// What of the children of this block is in the band: those at x, at rows of theirs, counted from the lower
  /// child's first. Linear, limited; sums stay the same.
  Patch refined(int x, const Span& fine_rows) const;

  // ---- dividing

  /// Takes off what is from that row of the block on.
  Band cut(int row);
  /// Joins what follows it.
  void append(const Band& above);

 private:
  struct Side {
    Strip ghosts;               ///< also between sweeps: for steeper_than()
    std::vector<State> coarse;  ///< the layer of a coarser block beyond, until there is all of it
    std::vector<State> fluxes;  ///< from finer blocks, turned
    int ghosts_missing = 0;     ///< cells along the side in this sweep, below 0 those that came early
    int fluxes_missing = 0;
  };
  enum class Awaits : std::int32_t { nothing, ghosts, computing, fluxes };

  Side& side(int s) { return sides_[static_cast<std::size_t>(s)]; }
  const Side& side(int s) const { return sides_[static_cast<std::size_t>(s)]; }
  /// Cells in a line along the axis.
  std::size_t length() const { return static_cast<std::size_t>(axis_ == 0 ? n() : patch_.rows()); }
  std::size_t lines() const { return static_cast<std::size_t>(patch_.along(2 * axis_)); }
  /// Beyond seams there are ghost cells.
  const State& cell(int column, int row) const;

  Rows rows_;
  Patch patch_;
  std::array<Side, sides> sides_;

  // Of the sweep under way; nothing while the element moves.
  Awaits awaits_ = Awaits::nothing;
  int axis_ = 0;
  double ratio_ = 0;           // time step to side of a cell
  std::vector<State> fluxes_;  // by lines, (length + 1) in each, turned
};

}  // namespace samr
