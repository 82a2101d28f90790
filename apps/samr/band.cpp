// SPDX-License-Identifier: Apache-2.0
#include "band.hpp"

#include <limits>

namespace samr {
namespace {

/// Appends, of two strips beside each other along the side, the second.
Strip joined(const Strip& lower, const Strip& upper) {
  const std::size_t a = lower.size() / ghost_layers, b = upper.size() / ghost_layers;
  Strip both;
  both.reserve(lower.size() + upper.size());
  for (std::size_t depth = 0; depth < ghost_layers; ++depth) {
    both.insert(both.end(), lower.begin() + static_cast<std::ptrdiff_t>(depth * a),
                lower.begin() + static_cast<std::ptrdiff_t>((depth + 1) * a));
    both.insert(both.end(), upper.begin() + static_cast<std::ptrdiff_t>(depth * b),
                upper.begin() + static_cast<std::ptrdiff_t>((depth + 1) * b));
  }
  return both;
}

/// These places of a strip.
Strip piece_of(const Strip& strip, const Span& places) {
  const std::size_t width = strip.size() / ghost_layers;
  Strip piece;
  for (std::size_t depth = 0; depth < ghost_layers && !strip.empty(); ++depth)
    for (int k = places.first; k < places.end; ++k)
      piece.push_back(strip[depth * width + static_cast<std::size_t>(k)]);
  return piece;
}

}  // namespace

// ---- ghost cells

void Band::await_ghosts(int s, Beyond::Kind beyond) {
  side(s).ghosts_missing += rows_.needed(s, beyond, n()).size();
}

void Band::take_ghosts(Given given) {
  const bool coarser = given.beyond == Beyond::Kind::coarser;
  const Span needed = rows_.needed(given.side, given.beyond, n());
  Side& at = side(given.side);
  Strip& into = coarser ? at.coarse : at.ghosts;
  const int layers = coarser ? 1 : ghost_layers, width = given.places.size();
  into.resize(static_cast<std::size_t>(layers * needed.size()));
  for (int depth = 0; depth < layers; ++depth)
    std::copy_n(given.states.begin() + depth * width, width,
                into.begin() + depth * needed.size() + given.places.first - needed.first);
  at.ghosts_missing -= width;
}

bool Band::has_ghosts(int axis) const {
  return side(2 * axis).ghosts_missing == 0 && side(2 * axis + 1).ghosts_missing == 0;
}

Strip Band::ghosts_for(int s, Beyond::Kind beyond, const Span& places) const {
  const Span all = rows_.given(s, beyond, n());
  const Span own{places.first - all.first, places.end - all.first};
  switch (beyond) {
    case Beyond::Kind::coarser:
      return patch_.coarse_strip(s, {2 * own.first, 2 * own.end});
    case Beyond::Kind::finer:
      return patch_.strip(s, own, 1);
    case Beyond::Kind::same:
    case Beyond::Kind::wall:
      break;
  }
  return patch_.strip(s, own);
}

// ---- a sweep

void Band::begin_sweep(int axis, double ratio) {
  axis_ = axis;
  ratio_ = ratio;
  awaits_ = Awaits::ghosts;
}

bool Band::begins_to_compute() {
  if (awaits_ != Awaits::ghosts || !has_ghosts(axis_)) return false;
  awaits_ = Awaits::computing;
  return true;
}

void Band::compute_fluxes() {
  for (int s = 2 * axis_; s < 2 * axis_ + 2; ++s) {
    if (side(s).coarse.empty()) continue;
    const Span known = rows_.needed(s, Beyond::Kind::coarser, n()), covered = rows_.on_coarser(s, n());
    side(s).ghosts = interpolated(side(s).coarse, known, n(), {2 * covered.first, 2 * covered.end});
    side(s).coarse.clear();
  }
  fluxes_.resize(lines() * (length() + 1));
  std::vector<State> line(length() + 2 * ghost_layers);
  for (std::size_t k = 0; k < lines(); ++k) {
    patch_.line(axis_, static_cast<int>(k), side(2 * axis_).ghosts, side(2 * axis_ + 1).ghosts, line);
    row_fluxes(line, ratio_, std::span(fluxes_).subspan(k * (length() + 1), length() + 1));
  }
  awaits_ = Awaits::fluxes;
}

void Band::await_fluxes(int s) { side(s).fluxes_missing += patch_.along(s); }

void Band::take_fluxes(const Given& given) {
  std::vector<State>& into = side(given.side).fluxes;
  into.resize(static_cast<std::size_t>(patch_.along(given.side)));
  std::ranges::copy(given.states, into.begin() + given.places.first - rows_.along(given.side, n()).first);
  side(given.side).fluxes_missing -= given.places.size();
}

std::vector<State> Band::fluxes_for(int s, const Span& places) const {
  const int first = rows_.on_coarser(s, n()).first;
  const std::size_t face = is_upper(s) ? length() : 0;
  const auto flux = [&](int line) -> const State& {
    return fluxes_[static_cast<std::size_t>(line) * (length() + 1) + face];
  };
  std::vector<State> means;
  for (int k = places.first - first; k < places.end - first; ++k)
    means.push_back(0.5 * (flux(2 * k) + flux(2 * k + 1)));
  return means;
}

bool Band::try_update() {
  if (awaits_ != Awaits::fluxes) return false;
  Side &lower = side(2 * axis_), &upper = side(2 * axis_ + 1);
  if (lower.fluxes_missing != 0 || upper.fluxes_missing != 0) return false;
  for (std::size_t k = 0; k < lines(); ++k) {
    const std::span<State> line = std::span(fluxes_).subspan(k * (length() + 1), length() + 1);
    if (!lower.fluxes.empty()) line.front() = lower.fluxes[k];
    if (!upper.fluxes.empty()) line.back() = upper.fluxes[k];
    patch_.update_line(axis_, static_cast<int>(k), ratio_, line);
  }
  lower.fluxes.clear();
  upper.fluxes.clear();
  awaits_ = Awaits::nothing;
  return true;
}

// ---- what is in it

double Band::fastest_wave() const {
  double fastest = std::numeric_limits<double>::min();
  for (const State& state : patch_.cells()) {
    const Gas g = gas(state);
    fastest = std::max(fastest, std::max(std::abs(g.u), std::abs(g.v)) + g.sound());
  }
  return fastest;
}

bool Band::steeper_than(double jump) const {
  const auto differ = [&](double a, double b) { return std::abs(a - b) > jump * std::min(a, b); };
  for (int axis = 0; axis < 2; ++axis) {
    std::array<Strip, 2> ends;
    for (int end = 0; end < 2; ++end) {
      const Strip& known = side(2 * axis + end).ghosts;
      ends[static_cast<std::size_t>(end)] = known.empty() ? patch_.continued_strip(2 * axis + end) : known;
    }
    const int length = axis == 0 ? n() : patch_.rows();
    std::vector<State> line(static_cast<std::size_t>(length + 2 * ghost_layers));
    for (int k = 0; k < patch_.along(2 * axis); ++k) {
      patch_.line(axis, k, ends[0], ends[1], line);
      for (std::size_t i = 1; i + 2 < line.size(); ++i) {
        const Gas a = gas(line[i]), b = gas(line[i + 1]);
        if (differ(a.density, b.density) || differ(a.pressure, b.pressure)) return true;
      }
    }
  }
  return false;
}

const State& Band::cell(int column, int row) const {
  const auto place = static_cast<std::size_t>(column);  // of depth 0
  if (row < rows_.rows.first) return side(bottom_side).ghosts[place];
  if (row >= rows_.rows.end) return side(top_side).ghosts[place];
  return patch_.at(column, row - rows_.rows.first);
}

Patch Band::refined(int x, const Span& fine_rows) const {
  Patch fine(n(), fine_rows.size());
  for (int j = fine_rows.first; j < fine_rows.end; ++j)
    for (int i = 0; i < n(); ++i) {
      const int ci = x * n() / 2 + i / 2, cj = j / 2;
      State value = cell(ci, cj);
      if (ci > 0 && ci + 1 < n())
        value = value +
                (i % 2 == 0 ? -0.25 : 0.25) * limited_slope(cell(ci - 1, cj), cell(ci, cj), cell(ci + 1, cj));
      if (cj > 0 && cj + 1 < n())
        value = value +
                (j % 2 == 0 ? -0.25 : 0.25) * limited_slope(cell(ci, cj - 1), cell(ci, cj), cell(ci, cj + 1));
      fine.at(i, j - fine_rows.first) = value;
    }
  return fine;
}

// ---- dividing

Band Band::cut(int row) {
  const int own = row - rows_.rows.first;
  Band above({rows_.block, {row, rows_.rows.end}}, patch_.cut(own));
  for (int s = 0; s < 2; ++s) {
    const Strip all = std::move(side(s).ghosts);
    side(s).ghosts = piece_of(all, {0, own});
    above.side(s).ghosts = piece_of(all, {own, own + above.patch_.rows()});
  }
  above.side(top_side).ghosts = std::exchange(side(top_side).ghosts, {});
  rows_.rows.end = row;
  return above;
}

void Band::append(const Band& above) {
  patch_.append(above.patch_);
  for (int s = 0; s < 2; ++s) side(s).ghosts = joined(side(s).ghosts, above.side(s).ghosts);
  side(top_side).ghosts = above.side(top_side).ghosts;
  rows_.rows.end = above.rows_.rows.end;
}

}  // namespace samr
