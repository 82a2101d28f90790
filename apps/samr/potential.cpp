// SPDX-License-Identifier: Apache-2.0
#include "potential.hpp"

namespace samr {
namespace {

/// Calls f(value) for each neighbour in the domain.
template <class F>
void for_each_neighbour(const Pulls& pulls, const Cell& c, const Box& domain, F f) {
  const Pull* const at = &pulls[c];
  for (int axis = 0; axis < axes; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const std::ptrdiff_t stride = pulls.stride(axis);
    if (c[a] > domain.first[a]) f(at[-stride].potential);
    if (c[a] + 1 < domain.end[a]) f(at[stride].potential);
  }
}

/// Returns on which side of its coarse cell a fine cell is: -1 or 1.
double sign_of(const Cell& fine, std::size_t axis) { return (fine[axis] & 1) != 0 ? 1 : -1; }

}  // namespace

void interpolate(const Pulls& coarse, const Box& coarse_domain, const Box& fine, Pulls& into) {
  for_each_cell(common(fine, into.box()), [&](const Cell& f) {
    const Cell c{half_of(f[0]), half_of(f[1]), half_of(f[2])};
    const Pull* const at = &coarse[c];
    double value = at->potential;
    for (std::size_t a = 0; a < axes; ++a) {
      const std::ptrdiff_t stride = coarse.stride(static_cast<int>(a));
      const double below = c[a] > coarse_domain.first[a] ? at[-stride].potential : at->potential;
      const double above = c[a] + 1 < coarse_domain.end[a] ? at[stride].potential : at->potential;
      value += sign_of(f, a) / 8 * (above - below) + 1.0 / 32 * (above - 2 * at->potential + below);
    }
    into[f].potential = value;
  });
}

void add_interpolated(const Scalars& coarse, const Box& coarse_domain, const Box& fine, Pulls& into) {
  const auto value_of = [&](const Cell& c) { return coarse.box().contains(c) ? coarse[c] : 0.0; };
  for_each_cell(common(fine, into.box()), [&](const Cell& f) {
    const Cell c{half_of(f[0]), half_of(f[1]), half_of(f[2])};
    const double here = value_of(c);
    double value = here;
    for (std::size_t a = 0; a < axes; ++a) {
      Cell beside = c;
      beside[a] += sign_of(f, a) > 0 ? 1 : -1;
      if (beside[a] >= coarse_domain.first[a] && beside[a] < coarse_domain.end[a])
        value += 0.25 * (value_of(beside) - here);
    }
    into[f].potential += value;
  });
}

void relax(Pulls& pulls, const Box& box, const Boxes& level, const Box& domain, double side, int colour) {
  for (const Box& part : level)
    for_each_cell(common(part, box), [&](const Cell& c) {
      if (((c[0] + c[1] + c[2]) & 1) != colour) return;
      double sum = 0;
      int count = 0;
      for_each_neighbour(pulls, c, domain, [&](double value) { sum += value, ++count; });
      pulls[c].potential = (sum - side * side * pulls[c].source) / count;
    });
}

Scalars coarse_residual(const Pulls& pulls, const Box& box, const Box& domain, double side) {
  Scalars residual(box.coarsened());
  for_each_cell(box, [&](const Cell& f) {
    const Pull& here = pulls[f];
    double sum = 0;
    for_each_neighbour(pulls, f, domain, [&](double value) { sum += value - here.potential; });
    residual[{half_of(f[0]), half_of(f[1]), half_of(f[2])}] += 0.125 * (here.source - sum / (side * side));
  });
  return residual;
}

double pull_along(const Pulls& pulls, const Box& domain, const Cell& c, int axis, double side) {
  const auto a = static_cast<std::size_t>(axis);
  const Pull* const at = &pulls[c];
  const std::ptrdiff_t stride = pulls.stride(axis);
  const double below = c[a] > domain.first[a] ? at[-stride].potential : at->potential;
  const double above = c[a] + 1 < domain.end[a] ? at[stride].potential : at->potential;
  return (below - above) / (2 * side);
}

}  // namespace samr
