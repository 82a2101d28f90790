// SPDX-License-Identifier: Apache-2.0
#include "patch.hpp"

namespace samr {
namespace {

double smaller(double a, double b) { return a * b <= 0 ? 0 : std::abs(a) < std::abs(b) ? a : b; }

State mean(const State& a, const State& b, const State& c, const State& d) {
  return 0.25 * ((a + b) + (c + d));
}

std::size_t place(int depth, int k, int width) { return static_cast<std::size_t>(depth * width + k); }

}  // namespace

State limited_slope(const State& before, const State& here, const State& behind) {
  const State a = here - before, b = behind - here;
  return {smaller(a.mass, b.mass), smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.energy, b.energy)};
}

// Both layers of fine ghost cells lie in the first layer of coarse cells.
Strip interpolated(std::span<const State> coarse, const Span& known, int n, const Span& fine) {
  const auto at = [&](int c) { return coarse[static_cast<std::size_t>(c - known.first)]; };
  Strip out(static_cast<std::size_t>(ghost_layers * fine.size()));
  for (int k = fine.first; k < fine.end; ++k) {
    const int c = k / 2;
    State along;
    if (c > 0 && c + 1 < n) along = limited_slope(at(c - 1), at(c), at(c + 1));
    for (int depth = 0; depth < ghost_layers; ++depth)
      out[place(depth, k - fine.first, fine.size())] = at(c) + (k % 2 == 0 ? -0.25 : 0.25) * along;
  }
  return out;
}

const State& Patch::beside(int side, int depth, int k) const {
  const int i = is_upper(side) ? across(axis_of(side)) - 1 - depth : depth;
  return axis_of(side) == 0 ? at(i, k) : at(k, i);
}

Strip Patch::strip(int side, const Span& places, int layers) const {
  Strip out;
  out.reserve(static_cast<std::size_t>(layers * places.size()));
  for (int depth = 0; depth < layers; ++depth)
    for (int k = places.first; k < places.end; ++k) out.push_back(beside(side, depth, k));
  return out;
}

Strip Patch::coarse_strip(int side, const Span& places) const {
  Strip out;
  out.reserve(static_cast<std::size_t>(ghost_layers * places.size() / 2));
  for (int depth = 0; depth < 2 * ghost_layers; depth += 2)
    for (int k = places.first; k < places.end; k += 2)
      out.push_back(mean(beside(side, depth, k), beside(side, depth + 1, k), beside(side, depth, k + 1),
                         beside(side, depth + 1, k + 1)));
  return out;
}

Strip Patch::mirrored_strip(int side) const {
  Strip out = strip(side, {0, along(side)});
  for (State& state : out) (axis_of(side) == 0 ? state.x : state.y) *= -1;
  return out;
}

Strip Patch::continued_strip(int side) const {
  Strip out;
  for (int depth = 0; depth < ghost_layers; ++depth)
    for (int k = 0; k < along(side); ++k) out.push_back(beside(side, 0, k));
  return out;
}

Patch Patch::coarsened() const {
  Patch coarse(columns_ / 2, rows_ / 2);
  for (int j = 0; j < rows_ / 2; ++j)
    for (int i = 0; i < columns_ / 2; ++i)
      coarse.at(i, j) =
          mean(at(2 * i, 2 * j), at(2 * i + 1, 2 * j), at(2 * i, 2 * j + 1), at(2 * i + 1, 2 * j + 1));
  return coarse;
}

void Patch::paste(int x, int y, const Patch& piece) {
  for (int j = 0; j < piece.rows(); ++j)
    for (int i = 0; i < piece.columns(); ++i) at(x + i, y + j) = piece.at(i, j);
}

Patch Patch::cut(int row) {
  Patch above(columns_, rows_ - row);
  const auto from = cells_.begin() + row * columns_;
  std::copy(from, cells_.end(), above.cells_.begin());
  cells_.erase(from, cells_.end());
  rows_ = row;
  return above;
}

void Patch::append(const Patch& above) {
  cells_.insert(cells_.end(), above.cells_.begin(), above.cells_.end());
  rows_ += above.rows_;
}

void Patch::line(int axis, int k, const Strip& lower, const Strip& upper, std::span<State> out) const {
  const int length = across(axis), width = along(2 * axis);
  const auto ahead = static_cast<std::size_t>(ghost_layers);
  for (int i = 0; i < length; ++i)
    out[ahead + static_cast<std::size_t>(i)] = axis == 0 ? at(i, k) : turned(at(k, i));
  for (int depth = 0; depth < ghost_layers; ++depth) {
    const State& below = lower[place(depth, k, width)];
    const State& above = upper[place(depth, k, width)];
    out[static_cast<std::size_t>(ghost_layers - 1 - depth)] = axis == 0 ? below : turned(below);
    out[static_cast<std::size_t>(ghost_layers + length + depth)] = axis == 0 ? above : turned(above);
  }
}

void Patch::update_line(int axis, int k, double ratio, std::span<const State> fluxes) {
  for (int i = 0; i < across(axis); ++i) {
    const auto face = static_cast<std::size_t>(i);
    const State in = ratio * (fluxes[face] - fluxes[face + 1]);
    State& cell = axis == 0 ? at(i, k) : at(k, i);
    cell = cell + (axis == 0 ? in : turned(in));
  }
}

}  // namespace samr
