// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include "solver.hpp"

namespace samr {
namespace {

std::size_t octant(const Cell& fine) {
  return static_cast<std::size_t>((fine[0] & 1) + 2 * (fine[1] & 1) + 4 * (fine[2] & 1));
}

std::array<State, 8> children_of(const Field& coarse, const Cell& c, const Box& domain, double heat_ratio) {
  std::array<State, 8> children;
  children.fill(coarse[c]);
  for (std::size_t a = 0; a < axes; ++a) {
    if (c[a] == domain.first[a] || c[a] + 1 == domain.end[a]) continue;
    const State* const here = &coarse[c];
    const std::ptrdiff_t stride = coarse.stride(static_cast<int>(a));
    for (std::size_t v = 0; v < variables; ++v) {
      const double quarter =
          0.25 * limited(here->at[v] - here[-stride].at[v], here[stride].at[v] - here->at[v]);
      for (std::size_t o = 0; o < 8; ++o) children[o].at[v] += (o >> a & 1) != 0 ? quarter : -quarter;
    }
  }
  for (const State& child : children)
    if (!gas_of(child, heat_ratio).is_possible()) children.fill(coarse[c]);
  return children;
}

}  // namespace

int nesting_cells() { return (ghost_cells + 1) / refinement + 1; }

Box sources_of(const Box& fine, const Box& coarse_domain) {
  return common(fine.coarsened().grown(1), coarse_domain);
}

Field interpolated(const Field& coarse, const Box& fine, const Box& coarse_domain, double heat_ratio) {
  Field result(fine);
  for_each_cell(fine.coarsened(), [&](const Cell& c) {
    const std::array<State, 8> children = children_of(coarse, c, coarse_domain, heat_ratio);
    for_each_cell(common(box_of(c).refined(), fine), [&](const Cell& f) { result[f] = children[octant(f)]; });
  });
  return result;
}

Field averaged(const Field& fine) {
  Field result(fine.box().coarsened());
  for_each_cell(fine.box(), [&](const Cell& f) {
    result[{half_of(f[0]), half_of(f[1]), half_of(f[2])}] += 0.125 * fine[f];
  });
  return result;
}

Field between(const Field& old, const Field& now, double fraction) {
  if (fraction == 1) return now;
  Field result = old;
  if (fraction == 0) return result;
  for_each_cell(old.box(), [&](const Cell& c) { result[c] = (1 - fraction) * old[c] + fraction * now[c]; });
  return result;
}

}  // namespace samr
