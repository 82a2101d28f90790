// SPDX-License-Identifier: Apache-2.0
#include "multigrid.hpp"

#include <cmath>

namespace samr {
namespace {

constexpr int cycles = 2, sweeps = 2;
constexpr std::int32_t shortest = 2;  // domains with at most so many cells along an axis are not made coarser

/// A cell of one of the grids. Outside of the solved cells, values stay 0.
struct Unknown {
  double value = 0, source = 0;
  bool is_free = false;
};
using Unknowns = FieldOf<Unknown>;

/// Calls f(cell) for each free cell of a field that has a layer of cells around all free ones.
template <class F>
void for_each_free(const Unknowns& field, F f) {
  for_each_cell(field.box().grown(-1), [&](const Cell& c) {
    if (field[c].is_free) f(c);
  });
}

/// The neighbours of a cell inside the domain. Those beyond it would equal the cell, so that nothing pulls
/// there.
struct Around {
  double sum = 0;
  int count = 0;
};
Around around(const Unknowns& field, const Cell& c, const Box& domain) {
  Around found;
  const Unknown* const at = &field[c];
  for (int axis = 0; axis < axes; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const std::ptrdiff_t stride = field.stride(axis);
    if (c[a] > domain.first[a]) found.sum += at[-stride].value, ++found.count;
    if (c[a] + 1 < domain.end[a]) found.sum += at[stride].value, ++found.count;
  }
  return found;
}

void sweep(Unknowns& field, const Box& domain, double side, int times) {
  for (int half = 0; half < 2 * times; ++half)
    for_each_free(field, [&](const Cell& c) {
      if (((c[0] + c[1] + c[2] + half) & 1) != 0) return;
      const auto [sum, count] = around(field, c, domain);
      field[c].value = (sum - side * side * field[c].source) / count;
    });
}

/// Returns the cells whose eight parts are all free, with the means of the parts' residuals.
Unknowns coarsened(const Unknowns& fine, const Box& domain, double side) {
  Unknowns coarse(fine.box().grown(-1).coarsened().grown(1));
  FieldOf<int> parts(coarse.box());
  for_each_free(fine, [&](const Cell& f) {
    const auto [sum, count] = around(fine, f, domain);
    const Cell c{half_of(f[0]), half_of(f[1]), half_of(f[2])};
    coarse[c].source += 0.125 * (fine[f].source - (sum - count * fine[f].value) / (side * side));
    coarse[c].is_free = ++parts[c] == 8;
  });
  return coarse;
}

void cycle(Unknowns& field, const Box& domain, double side) {
  const bool can_be_coarser =
      std::ranges::all_of(domain.end, [](std::int32_t n) { return n % 2 == 0 && n > shortest; });
  Unknowns coarse;
  bool any = false;
  if (can_be_coarser) {
    sweep(field, domain, side, sweeps);
    coarse = coarsened(field, domain, side);
    for_each_free(coarse, [&](const Cell&) { any = true; });
  }
  // Sweeps alone are needed in a number that grows with the length of the domain.
  if (!any) return sweep(field, domain, side, 2 * domain.length(domain.longest_axis()));
  cycle(coarse, domain.coarsened(), 2 * side);
  for_each_free(field, [&](const Cell& f) {
    const Unknown& from = coarse[{half_of(f[0]), half_of(f[1]), half_of(f[2])}];
    if (from.is_free) field[f].value += from.value;
  });
  sweep(field, domain, side, sweeps);
}

Box box_around(const std::vector<Scalars>& fields) {
  Box box = fields.front().box();
  for (const Scalars& field : fields)
    for (std::size_t a = 0; a < axes; ++a) {
      box.first[a] = std::min(box.first[a], field.box().first[a]);
      box.end[a] = std::max(box.end[a], field.box().end[a]);
    }
  return box;
}

}  // namespace

double largest(const std::vector<Scalars>& residuals) {
  double found = 0;
  for (const Scalars& field : residuals)
    for (const double value : field.values()) found = std::max(found, std::abs(value));
  return found;
}

Scalars correction(const std::vector<Scalars>& residuals, const Box& domain, double side) {
  const Box box = box_around(residuals);
  Unknowns unknowns(box.grown(1));
  for (const Scalars& field : residuals)
    for_each_cell(field.box(), [&](const Cell& c) { unknowns[c] = {0, field[c], true}; });
  for (int i = 0; i < cycles; ++i) cycle(unknowns, domain, side);
  Scalars result(box);
  for_each_cell(box, [&](const Cell& c) { result[c] = unknowns[c].value; });
  return result;
}

}  // namespace samr
