// SPDX-License-Identifier: Apache-2.0
#include "block.hpp"

#include <bit>
#include <cmath>
#include <numeric>

#include "apps/common/mixed.hpp"
#include "meshes.hpp"
#include "scenario.hpp"

namespace samr {
namespace {

constexpr int after_exchange = 1;  // of priority

}  // namespace

const Meshes& Block::meshes() const { return *meshes_[skein::this_pe()].local(); }

Band& Block::band_at(int first_row) {
  return *std::ranges::find(bands_, first_row, [](const Band& band) { return band.rows().rows.first; });
}

void Block::ready() {
  double fastest = 0;
  for (const Band& band : bands_) fastest = std::max(fastest, band.fastest_wave());
  contribute(parameters_.courant * spacing() / fastest, skein::least,
             skein::to<&Director::ready>(director_[0]));
}

// ---- a time step

void Block::advance(double dt, int first_axis) {
  ratio_ = dt / spacing();
  first_axis_ = first_axis;
  awaits_ = Awaits::sweeps;
  bands_left_ = bands_.size();
  for (Band& band : bands_) begin_sweep(band, first_axis);
}

void Block::begin_sweep(Band& band, int axis) {
  band.begin_sweep(axis, ratio_);
  for (int s = 2 * axis; s < 2 * axis + 2; ++s) {
    if (exchange(band, s) == Beyond::Kind::finer) band.await_fluxes(s);
  }
  go_on(band);
}

Beyond::Kind Block::exchange(Band& band, int s) {
  const BandsBeyond beyond = meshes().beyond(band.rows(), s);
  if (beyond.kind == Beyond::Kind::wall) {
    band.set_ghosts(s, wall_strip(parameters_, band.patch(), s));
    return beyond.kind;
  }
  band.await_ghosts(s, beyond.kind);
  const Span given = band.rows().given(s, beyond.kind, band.n());
  for (const Part& part : beyond.parts) {
    const Span places = common(given, part.rows.needed(opposite(s), reversed(beyond.kind), band.n()));
    if (places.size() > 0)
      array()[part.element].send<&Block::take_ghosts>(Given{part.rows.rows.first, opposite(s),
                                                            reversed(beyond.kind), places,
                                                            band.ghosts_for(s, beyond.kind, places)});
  }
  return beyond.kind;
}

void Block::take_ghosts(Given given) {
  Band& band = band_at(given.first_row);
  band.take_ghosts(std::move(given));
  if (awaits_ == Awaits::sweeps) return go_on(band);
  if (awaits_ == Awaits::seams) try_wish();
}

void Block::take_fluxes(const Given& given) {
  Band& band = band_at(given.first_row);
  band.take_fluxes(given);
  end_sweep(band);
}

// What others wait for goes before what takes long, of all elements of the PE.
void Block::go_on(Band& band) {
  if (band.begins_to_compute())
    self().prioritized(after_exchange).send<&Block::compute>(band.rows().rows.first);
}

void Block::compute(int first_row) {
  Band& band = band_at(first_row);
  band.compute_fluxes();
  for (int s = 2 * band.axis(); s < 2 * band.axis() + 2; ++s) send_fluxes(band, s);
  end_sweep(band);
}

void Block::end_sweep(Band& band) {
  if (!band.try_update()) return;
  if (band.axis() == first_axis_) return begin_sweep(band, 1 - first_axis_);
  if (--bands_left_ > 0) return;
  awaits_ = Awaits::nothing;
  ready();
}

void Block::send_fluxes(Band& band, int s) {
  const BandsBeyond beyond = meshes().beyond(band.rows(), s);
  if (beyond.kind != Beyond::Kind::coarser) return;
  const Span given = band.rows().on_coarser(s, band.n());
  for (const Part& part : beyond.parts) {
    const Span places = common(given, part.rows.along(opposite(s), band.n()));
    if (places.size() > 0)
      array()[part.element].send<&Block::take_fluxes>(
          Given{part.rows.rows.first, opposite(s), Beyond::Kind::finer, places, band.fluxes_for(s, places)});
  }
}

// ---- the mesh

// With ghost cells: a jump between two blocks is to be seen before the first step.
void Block::begin() {
  Band& band = bands_.front();
  band.patch() = initial_patch(parameters_, index());
  for (int s = 0; s < sides; ++s) {
    BlockIndex beside = index();
    beside[1 + axis_of(s)] += is_upper(s) ? 1 : -1;
    band.set_ghosts(s, initial_patch(parameters_, beside).strip(opposite(s), {0, band.n()}));
  }
  cells_missing_ = 0;
  ready();
}

void Block::fill(int x, int y, const Patch& piece) {
  bands_.front().patch().paste(x, y, piece);
  cells_missing_ -= static_cast<int>(piece.cells().size());
  if (cells_missing_ == 0) ready();
}

// At seams cells beyond are to be those of now, as within a band: then the wish is that of the whole block.
void Block::tell_wish() {
  awaits_ = Awaits::seams;
  for (Band& band : bands_)
    for (const int s : {bottom_side, top_side})
      if (band.rows().has_seam(s, band.n())) exchange(band, s);
  try_wish();
}

void Block::try_wish() {
  for (const Band& band : bands_)
    if (!band.has_ghosts(1)) return;
  awaits_ = Awaits::nothing;
  const auto any_steeper_than = [&](double jump) {
    return std::ranges::any_of(bands_, [&](const Band& band) { return band.steeper_than(jump); });
  };
  const Wish wish = any_steeper_than(parameters_.steepness)       ? Wish::finer
                    : any_steeper_than(parameters_.steepness / 4) ? Wish::same
                                                                  : Wish::coarser;
  contribute(std::vector<BlockWish>{{block(), wish}}, skein::concat,
             skein::to<&Director::adapt>(director_[0]));
}

void Block::remesh(bool initial) {
  const Mesh& mesh = meshes().mesh();
  if (mesh.is_leaf(block())) return ready();
  const bool coarser = block()[0] > 0 && mesh.is_leaf(parent_of(block()));
  if (coarser)
    give_to_parent();
  else
    give_to_children(initial);
  destroy();
}

// The element that has the block's index makes those that follow it; its parts have cells for them too.
void Block::give_to_children(bool initial) {
  const int n = parameters_.cells;
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 2; ++y) {
      const auto child = array()[child_of(block(), x, y)];
      if (index() == block()) child.insert_on(skein::this_pe(), parameters_, meshes_, director_);
      if (initial) {
        child.send<&Block::begin>();
        continue;
      }
      for (const Band& band : bands_) {
        const Span rows = band.rows().rows;
        const Span fine = common({2 * rows.first, 2 * rows.end}, {y * n, (y + 1) * n});
        if (fine.size() > 0) child.send<&Block::fill>(0, fine.first - y * n, band.refined(x, fine));
      }
    }
}

void Block::give_to_parent() {
  const int n = parameters_.cells, x = block()[1] % 2, y = block()[2] % 2;
  const auto parent = array()[parent_of(block())];
  if (index() == block() && x == 0 && y == 0)
    parent.insert_on(skein::this_pe(), parameters_, meshes_, director_);
  for (const Band& band : bands_)
    parent.send<&Block::fill>(x * n / 2, (y * n + band.rows().rows.first) / 2, band.patch().coarsened());
}

// ---- parts

// Where the block is, or this part of it.
std::array<float, 3> Block::position() const {
  const Span rows = bands_.front().rows().rows;
  const double x = (block()[1] + 0.5) * parameters_.cells,
               y = block()[2] * parameters_.cells + 0.5 * (rows.first + rows.end);
  return {static_cast<float>(x * spacing()), static_cast<float>(y * spacing()), 0};
}

std::unique_ptr<Block> Block::split(double fraction) {
  const int all = std::transform_reduce(bands_.begin(), bands_.end(), 0, std::plus(),
                                        [](const Band& band) { return band.rows().rows.size(); });
  auto part = std::make_unique<Block>();
  part->parameters_ = parameters_;
  part->meshes_ = meshes_;
  part->director_ = director_;
  for (int left = 2 * static_cast<int>(std::lround(fraction * all / 2)); left > 0;) {
    Band& band = bands_.back();
    const Span rows = band.rows().rows;
    if (left >= rows.size() && bands_.size() > 1) {
      part->bands_.insert(part->bands_.begin(), std::move(band));
      bands_.pop_back();
      left -= rows.size();
    } else {
      if (rows.size() >= 2 * least_rows)
        part->bands_.insert(
            part->bands_.begin(),
            band.cut(std::clamp(rows.end - left, rows.first + least_rows, rows.end - least_rows)));
      break;
    }
  }
  return part->bands_.empty() ? nullptr : std::move(part);
}

void Block::merge(Block&& part) {
  std::ranges::move(part.bands_, std::back_inserter(bands_));
  std::ranges::sort(bands_, {}, [](const Band& band) { return band.rows().rows.first; });
  std::vector<Band> joined;
  for (Band& band : bands_)
    if (!joined.empty() && joined.back().rows().rows.end == band.rows().rows.first)
      joined.back().append(band);
    else
      joined.push_back(std::move(band));
  bands_ = std::move(joined);
}

void Block::resume_from_sync() {
  std::vector<Part> parts;
  for (const Band& band : bands_)
    if (band.rows().rows.size() < band.n()) parts.push_back({band.rows(), index()});
  contribute(std::move(parts), skein::concat, skein::to<&Director::divided>(director_[0]));
}

// ---- results

void Block::report() {
  const double h = spacing();
  Totals totals;
  totals.blocks = index() == block();
  for (const Band& band : bands_) {
    const std::uint64_t first =
        static_cast<std::uint64_t>(band.rows().rows.first) * static_cast<std::uint64_t>(band.n());
    std::uint64_t place = skein::hash_of(block()) + first;
    for (const State& s : band.patch().cells()) {
      totals.mass += h * h * s.mass;
      totals.energy += h * h * s.energy;
      std::uint64_t hash = apps::mixed(place++);
      for (const double value : {s.mass, s.x, s.y, s.energy})
        hash = apps::mixed(hash + std::bit_cast<std::uint64_t>(value));
      totals.fingerprint += hash;
    }
  }
  contribute(totals, skein::sum, skein::to<&Director::report>(director_[0]));
}

void Block::give_cells() {
  const double h = spacing();
  std::vector<FinalCell> cells;
  for (const Band& band : bands_)
    for (int j = 0; j < band.patch().rows(); ++j)
      for (int i = 0; i < band.n(); ++i) {
        const int row = block()[2] * band.n() + band.rows().rows.first + j;
        cells.push_back(
            {(block()[1] * band.n() + i + 0.5) * h, (row + 0.5) * h, h, gas(band.patch().at(i, j))});
      }
  contribute(std::move(cells), skein::concat, skein::to<&Director::write>(director_[0]));
}

}  // namespace samr
