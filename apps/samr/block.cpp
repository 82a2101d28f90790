// SPDX-License-Identifier: Apache-2.0
#include "block.hpp"

#include <bit>
#include <limits>

#include "apps/common/mixed.hpp"
#include "meshes.hpp"
#include "scenario.hpp"

namespace samr {

const Mesh& Block::mesh() const { return meshes_[skein::this_pe()].local()->mesh(); }

void Block::ready() { contribute(longest_step(), skein::least, skein::to<&Director::ready>(director_[0])); }

double Block::longest_step() const {
  double fastest = std::numeric_limits<double>::min();
  for (const State& state : patch_.cells()) {
    const Gas g = gas(state);
    fastest = std::max(fastest, std::max(std::abs(g.u), std::abs(g.v)) + g.sound());
  }
  return parameters_.courant * parameters_.spacing(index()[0]) / fastest;
}

// ---- a time step

void Block::advance(double dt, int first_axis) {
  ratio_ = dt / parameters_.spacing(index()[0]);
  axis_ = first_axis;
  sweeps_left_ = 2;
  begin_sweep();
}

void Block::begin_sweep() {
  awaits_ = Awaits::ghosts;
  for (int s = 2 * axis_; s < 2 * axis_ + 2; ++s) exchange(s);
  try_fluxes();
}

void Block::exchange(int s) {
  const Beyond beyond = mesh().beyond(index(), s);
  const int mine = opposite(s);  // what this side is for who is beyond it
  const int across = 2 - axis_;  // the coordinate along the side, in an index
  side(s).ghosts_missing += beyond.kind == Beyond::Kind::wall    ? 0
                            : beyond.kind == Beyond::Kind::finer ? 2
                                                                 : 1;
  side(s).fluxes_missing += beyond.kind == Beyond::Kind::finer ? 2 : 0;
  switch (beyond.kind) {
    case Beyond::Kind::wall:
      side(s).ghosts = wall_strip(parameters_, patch_, s);
      return;
    case Beyond::Kind::same:
      return array()[beyond.blocks[0]].send<&Block::take_ghosts>(mine, -1, patch_.strip(s));
    case Beyond::Kind::coarser:
      return array()[beyond.blocks[0]].send<&Block::take_ghosts>(mine, index()[across] % 2,
                                                                 patch_.coarse_strip(s));
    case Beyond::Kind::finer:
      for (int half = 0; half < 2; ++half)
        array()[beyond.blocks[static_cast<std::size_t>(half)]].send<&Block::take_ghosts>(
            mine, -1, patch_.fine_strip(s, half));
  }
}

void Block::take_ghosts(int s, int half, const Strip& strip) {
  Strip& into = side(s).ghosts;
  const int n = parameters_.cells, width = half < 0 ? n : n / 2, from = half < 0 ? 0 : half * width;
  into.resize(static_cast<std::size_t>(ghost_layers * n));
  for (int depth = 0; depth < ghost_layers; ++depth)
    std::copy_n(strip.begin() + depth * width, width, into.begin() + depth * n + from);
  --side(s).ghosts_missing;
  try_fluxes();
}

void Block::try_fluxes() {
  if (awaits_ != Awaits::ghosts || side(2 * axis_).ghosts_missing != 0 ||
      side(2 * axis_ + 1).ghosts_missing != 0)
    return;
  compute_fluxes();
  for (int s = 2 * axis_; s < 2 * axis_ + 2; ++s) send_fluxes(s);
  awaits_ = Awaits::fluxes;
  try_update();
}

void Block::compute_fluxes() {
  const auto n = static_cast<std::size_t>(parameters_.cells);
  fluxes_.resize(n * (n + 1));
  std::vector<State> row(n + 2 * ghost_layers);
  for (std::size_t k = 0; k < n; ++k) {
    patch_.row(axis_, static_cast<int>(k), side(2 * axis_).ghosts, side(2 * axis_ + 1).ghosts, row);
    row_fluxes(row, ratio_, std::span(fluxes_).subspan(k * (n + 1), n + 1));
  }
}

// A coarser block takes the mean of the fluxes through the two fine faces of each of its own.
void Block::send_fluxes(int s) {
  const Beyond beyond = mesh().beyond(index(), s);
  if (beyond.kind != Beyond::Kind::coarser) return;
  const auto n = static_cast<std::size_t>(parameters_.cells);
  const std::size_t face = is_upper(s) ? n : 0;
  std::vector<State> means;
  for (std::size_t k = 0; k < n; k += 2)
    means.push_back(0.5 * (fluxes_[k * (n + 1) + face] + fluxes_[(k + 1) * (n + 1) + face]));
  array()[beyond.blocks[0]].send<&Block::take_fluxes>(opposite(s), index()[2 - axis_] % 2, means);
}

void Block::take_fluxes(int s, int half, const std::vector<State>& fluxes) {
  std::vector<State>& into = side(s).fluxes;
  into.resize(static_cast<std::size_t>(parameters_.cells));
  std::ranges::copy(fluxes, into.begin() + half * parameters_.cells / 2);
  --side(s).fluxes_missing;
  try_update();
}

void Block::try_update() {
  if (awaits_ != Awaits::fluxes || side(2 * axis_).fluxes_missing != 0 ||
      side(2 * axis_ + 1).fluxes_missing != 0)
    return;
  const auto n = static_cast<std::size_t>(parameters_.cells);
  for (std::size_t k = 0; k < n; ++k) {
    const std::span<State> row = std::span(fluxes_).subspan(k * (n + 1), n + 1);
    if (const auto& lower = side(2 * axis_).fluxes; !lower.empty()) row.front() = lower[k];
    if (const auto& upper = side(2 * axis_ + 1).fluxes; !upper.empty()) row.back() = upper[k];
    patch_.update_row(axis_, static_cast<int>(k), ratio_, row);
  }
  side(2 * axis_).fluxes.clear();
  side(2 * axis_ + 1).fluxes.clear();
  awaits_ = Awaits::nothing;
  if (--sweeps_left_ == 0) return ready();
  axis_ = 1 - axis_;
  begin_sweep();
}

// ---- the mesh

// With ghost cells: a jump between two blocks is to be seen before the first step.
void Block::begin() {
  patch_ = initial_patch(parameters_, index());
  for (int s = 0; s < sides; ++s) {
    BlockIndex beside = index();
    beside[1 + axis_of(s)] += is_upper(s) ? 1 : -1;
    side(s).ghosts = initial_patch(parameters_, beside).strip(opposite(s));
  }
  ready();
}

void Block::fill(const Patch& patch) {
  patch_ = patch;
  ready();
}

void Block::take_child(int x, int y, const Patch& child) {
  if (patch_.n() == 0) patch_ = Patch(parameters_.cells);
  patch_.take_coarsened(x, y, child);
  if (--quarters_missing_ == 0) ready();
}

// Ghost cells are looked at too: a jump may be right at the side of a block.
bool Block::steeper_than(double jump) const {
  const auto n = static_cast<std::size_t>(parameters_.cells);
  const auto differ = [&](double a, double b) { return std::abs(a - b) > jump * std::min(a, b); };
  std::vector<State> row(n + 2 * ghost_layers);
  for (int axis = 0; axis < 2; ++axis)
    for (std::size_t k = 0; k < n; ++k) {
      std::array<Strip, 2> ends;
      for (int end = 0; end < 2; ++end) {
        const Strip& known = sides_[static_cast<std::size_t>(2 * axis + end)].ghosts;
        ends[static_cast<std::size_t>(end)] = known.empty() ? patch_.continued_strip(2 * axis + end) : known;
      }
      patch_.row(axis, static_cast<int>(k), ends[0], ends[1], row);
      for (std::size_t i = 1; i + 2 < row.size(); ++i) {
        const Gas a = gas(row[i]), b = gas(row[i + 1]);
        if (differ(a.density, b.density) || differ(a.pressure, b.pressure)) return true;
      }
    }
  return false;
}

void Block::tell_wish() {
  const Wish wish = steeper_than(parameters_.steepness)       ? Wish::finer
                    : steeper_than(parameters_.steepness / 4) ? Wish::same
                                                              : Wish::coarser;
  contribute(std::vector<BlockWish>{{index(), wish}}, skein::concat,
             skein::to<&Director::adapt>(director_[0]));
}

void Block::remesh(bool initial) {
  if (mesh().is_leaf(index())) return ready();
  const bool finer = index()[0] == 0 || !mesh().is_leaf(parent_of(index()));
  if (finer) {
    for (int x = 0; x < 2; ++x)
      for (int y = 0; y < 2; ++y) {
        const auto child = array()[child_of(index(), x, y)];
        child.insert_on(skein::this_pe(), parameters_, meshes_, director_);
        if (initial)
          child.send<&Block::begin>();
        else
          child.send<&Block::fill>(patch_.refined(x, y));
      }
  } else {
    const auto parent = array()[parent_of(index())];
    const int x = index()[1] % 2, y = index()[2] % 2;
    if (x == 0 && y == 0) parent.insert_on(skein::this_pe(), parameters_, meshes_, director_);
    parent.send<&Block::take_child>(x, y, patch_);
  }
  destroy();
}

// ---- results

void Block::report() {
  const double h = parameters_.spacing(index()[0]);
  Totals totals;
  totals.blocks = 1;
  std::uint64_t hash = apps::mixed(skein::hash_of(index()));
  for (const State& s : patch_.cells()) {
    totals.mass += h * h * s.mass;
    totals.energy += h * h * s.energy;
    for (const double value : {s.mass, s.x, s.y, s.energy})
      hash = apps::mixed(hash + std::bit_cast<std::uint64_t>(value));
  }
  totals.fingerprint = hash;
  contribute(totals, skein::sum, skein::to<&Director::report>(director_[0]));
}

void Block::give_cells() {
  const double h = parameters_.spacing(index()[0]);
  const int n = parameters_.cells;
  std::vector<FinalCell> cells;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      cells.push_back(
          {(index()[1] * n + i + 0.5) * h, (index()[2] * n + j + 0.5) * h, h, gas(patch_.at(i, j))});
  contribute(std::move(cells), skein::concat, skein::to<&Director::write>(director_[0]));
}

}  // namespace samr
