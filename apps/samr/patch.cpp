// SPDX-License-Identifier: Apache-2.0
#include "patch.hpp"

namespace samr {
namespace {

double smaller(double a, double b) { return a * b <= 0 ? 0 : std::abs(a) < std::abs(b) ? a : b; }

/// The smaller of both differences, where they agree in sign.
State slope(const State& before, const State& here, const State& behind) {
  const State a = here - before, b = behind - here;
  return {smaller(a.mass, b.mass), smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.energy, b.energy)};
}

State mean(const State& a, const State& b, const State& c, const State& d) {
  return 0.25 * ((a + b) + (c + d));
}

std::size_t place(int depth, int k, int width) { return static_cast<std::size_t>(depth * width + k); }

}  // namespace

const State& Patch::beside(int side, int depth, int k) const {
  const int i = is_upper(side) ? n_ - 1 - depth : depth;
  return axis_of(side) == 0 ? at(i, k) : at(k, i);
}

Strip Patch::strip(int side) const {
  Strip out(static_cast<std::size_t>(ghost_layers * n_));
  for (int depth = 0; depth < ghost_layers; ++depth)
    for (int k = 0; k < n_; ++k) out[place(depth, k, n_)] = beside(side, depth, k);
  return out;
}

Strip Patch::coarse_strip(int side) const {
  const int width = n_ / 2;
  Strip out(static_cast<std::size_t>(ghost_layers * width));
  for (int depth = 0; depth < ghost_layers; ++depth)
    for (int k = 0; k < width; ++k)
      out[place(depth, k, width)] =
          mean(beside(side, 2 * depth, 2 * k), beside(side, 2 * depth + 1, 2 * k),
               beside(side, 2 * depth, 2 * k + 1), beside(side, 2 * depth + 1, 2 * k + 1));
  return out;
}

// Both layers of fine ghost cells lie in the first layer of coarse cells.
Strip Patch::fine_strip(int side, int half) const {
  Strip out(static_cast<std::size_t>(ghost_layers * n_));
  for (int k = 0; k < n_; ++k) {
    const int coarse = half * n_ / 2 + k / 2;
    const State& here = beside(side, 0, coarse);
    State along;
    if (coarse > 0 && coarse + 1 < n_)
      along = slope(beside(side, 0, coarse - 1), here, beside(side, 0, coarse + 1));
    for (int depth = 0; depth < ghost_layers; ++depth)
      out[place(depth, k, n_)] = here + (k % 2 == 0 ? -0.25 : 0.25) * along;
  }
  return out;
}

Strip Patch::mirrored_strip(int side) const {
  Strip out = strip(side);
  for (State& state : out) (axis_of(side) == 0 ? state.x : state.y) *= -1;
  return out;
}

Strip Patch::continued_strip(int side) const {
  Strip out = strip(side);
  for (int k = 0; k < n_; ++k) out[place(1, k, n_)] = out[place(0, k, n_)];
  return out;
}

Patch Patch::refined(int x, int y) const {
  Patch fine(n_);
  for (int j = 0; j < n_; ++j)
    for (int i = 0; i < n_; ++i) {
      const int ci = x * n_ / 2 + i / 2, cj = y * n_ / 2 + j / 2;
      State value = at(ci, cj);
      if (ci > 0 && ci + 1 < n_)
        value = value + (i % 2 == 0 ? -0.25 : 0.25) * slope(at(ci - 1, cj), at(ci, cj), at(ci + 1, cj));
      if (cj > 0 && cj + 1 < n_)
        value = value + (j % 2 == 0 ? -0.25 : 0.25) * slope(at(ci, cj - 1), at(ci, cj), at(ci, cj + 1));
      fine.at(i, j) = value;
    }
  return fine;
}

void Patch::take_coarsened(int x, int y, const Patch& child) {
  const int half = n_ / 2;
  for (int j = 0; j < half; ++j)
    for (int i = 0; i < half; ++i)
      at(x * half + i, y * half + j) = mean(child.at(2 * i, 2 * j), child.at(2 * i + 1, 2 * j),
                                            child.at(2 * i, 2 * j + 1), child.at(2 * i + 1, 2 * j + 1));
}

void Patch::row(int axis, int k, const Strip& lower, const Strip& upper, std::span<State> out) const {
  const auto size = static_cast<std::size_t>(n_);
  for (std::size_t i = 0; i < size; ++i)
    out[ghost_layers + i] = axis == 0 ? at(static_cast<int>(i), k) : turned(at(k, static_cast<int>(i)));
  for (int depth = 0; depth < ghost_layers; ++depth) {
    const State& below = lower[place(depth, k, n_)];
    const State& above = upper[place(depth, k, n_)];
    out[static_cast<std::size_t>(ghost_layers - 1 - depth)] = axis == 0 ? below : turned(below);
    out[ghost_layers + size + static_cast<std::size_t>(depth)] = axis == 0 ? above : turned(above);
  }
}

void Patch::update_row(int axis, int k, double ratio, std::span<const State> fluxes) {
  for (int i = 0; i < n_; ++i) {
    const auto face = static_cast<std::size_t>(i);
    const State in = ratio * (fluxes[face] - fluxes[face + 1]);
    State& cell = axis == 0 ? at(i, k) : at(k, i);
    cell = cell + (axis == 0 ? in : turned(in));
  }
}

}  // namespace samr
