// SPDX-License-Identifier: Apache-2.0
#include "flux_plane.hpp"

namespace samr {
namespace {

template <class F>
FluxPlanes pieces(const FluxPlanes& planes, F box_of) {
  FluxPlanes found;
  for (const FluxPlane& plane : planes)
    if (FluxPlane part{plane.side, plane.flux.piece(box_of(plane.side))}; !part.flux.is_empty())
      found.push_back(std::move(part));
  return found;
}

const Field& fluxes_across(const Step& step, int side) {
  return step.fluxes[static_cast<std::size_t>(axis_of(side))];
}

/// Returns the face between a coarse cell and the finer box that has that side, as the cell whose lower face
/// it is.
Cell face_of(Cell coarse, int side) {
  if (!is_upper(side)) ++coarse[static_cast<std::size_t>(axis_of(side))];
  return coarse;
}

}  // namespace

FluxPlanes inside(const FluxPlanes& planes, const Box& coarse) {
  return pieces(planes, [&](int) { return coarse; });
}

FluxPlanes beside(const FluxPlanes& planes, const Box& fine) {
  return pieces(planes, [&](int side) { return fine.coarsened().beyond(side); });
}

FluxPlane coarse_fluxes(const Step& step, int side, const Box& cells) {
  FluxPlane plane{side, Field(cells)};
  for_each_cell(cells, [&](const Cell& c) { plane.flux[c] = fluxes_across(step, side)[face_of(c, side)]; });
  return plane;
}

void add_fine_fluxes(FluxPlane& plane, const Step& step) {
  const auto axis = static_cast<std::size_t>(axis_of(plane.side));
  for_each_cell(plane.flux.box(), [&](const Cell& c) {
    const Cell face = face_of(c, plane.side);
    Box faces = box_of(face).refined();
    faces.end[axis] = faces.first[axis] + 1;
    State sum;
    for_each_cell(faces, [&](const Cell& f) { sum += fluxes_across(step, plane.side)[f]; });
    plane.flux[c] += 0.25 / refinement * sum;
  });
}

// A cell may touch finer boxes on several sides: sorting by side makes the rounding independent of the order.
void correct(Field& cells, const FluxPlanes& coarser, FluxPlanes finer, double ratio) {
  std::ranges::stable_sort(finer, {}, &FluxPlane::side);
  for (const FluxPlane& fine : finer)
    for (const FluxPlane& coarse : coarser) {
      if (fine.side != coarse.side) continue;
      const double sign = is_upper(fine.side) ? ratio : -ratio;
      for_each_cell(common(fine.flux.box(), coarse.flux.box()),
                    [&](const Cell& c) { cells[c] += sign * (fine.flux[c] - coarse.flux[c]); });
    }
}

}  // namespace samr
