// SPDX-License-Identifier: Apache-2.0
#include "patch.hpp"

#include <bit>
#include <cmath>
#include <optional>

#include "apps/common/mixed.hpp"

namespace samr {
namespace {

constexpr int least_length = 2 * refinement;

std::optional<Patch> joined(const Patch& a, const Patch& b) {
  const Box both = joined(a.box(), b.box());
  if (both.is_empty()) return std::nullopt;
  Patch patch;
  patch.now = Field(both);
  if (!a.old.is_empty()) patch.old = Field(both);
  if (!a.pulls.is_empty()) patch.pulls = Pulls(both);
  patch.side = a.side;
  for (const Patch* const part : {&a, &b}) {
    patch.now.paste(part->now);
    patch.old.paste(part->old);
    patch.pulls.paste(part->pulls);
    patch.at_finer.insert(patch.at_finer.end(), part->at_finer.begin(), part->at_finer.end());
    patch.at_coarser.insert(patch.at_coarser.end(), part->at_coarser.begin(), part->at_coarser.end());
    patch.particles.insert(patch.particles.end(), part->particles.begin(), part->particles.end());
  }
  return patch;
}

using Mask = FieldOf<char>;

bool is_steep(const Field& around, const Cell& c, double steepness, double heat_ratio) {
  const auto differ = [&](double a, double b) { return std::abs(a - b) > steepness * std::min(a, b); };
  const State* const at = &around[c];
  const Gas here = gas_of(*at, heat_ratio);
  for (int axis = 0; axis < axes; ++axis)
    for (const std::ptrdiff_t step : {-around.stride(axis), around.stride(axis)}) {
      const Gas there = gas_of(at[step], heat_ratio);
      if (differ(here.density(), there.density()) || differ(here.pressure(), there.pressure())) return true;
    }
  return false;
}

void widen(Mask& mask, int axis, int by) {
  const Mask before = mask;
  for_each_cell(mask.box(), [&](const Cell& c) {
    if (!before[c]) return;
    const Box row = box_of(c).grown_along(axis, by);
    for_each_cell(common(row, mask.box()), [&](const Cell& near) { mask[near] = true; });
  });
}

Boxes rows_of(const Mask& mask) {
  Boxes rows;
  for_each_cell(mask.box(), [&](const Cell& c) {
    if (!mask[c]) return;

    if (!rows.empty() && rows.back().end == Cell{c[0], c[1] + 1, c[2] + 1})
      ++rows.back().end[0];
    else
      rows.push_back(box_of(c));
  });
  return rows;
}

}  // namespace

Patch Patch::piece(const Box& box) const {
  Patch part{now.piece(box),
             old.piece(box),
             inside(at_finer, box),
             beside(at_coarser, box),
             side,
             pulls.piece(box),
             {}};
  std::ranges::copy_if(particles, std::back_inserter(part.particles),
                       [&](const Particle& p) { return box.contains(cell_of(p.at, side)); });
  return part;
}

void Patch::keep(const Box& box) {
  at_finer = inside(at_finer, box);
  at_coarser = beside(at_coarser, box);
  std::erase_if(particles, [&](const Particle& p) { return !box.contains(cell_of(p.at, side)); });
  now.keep(box);
  old.keep(box);
  pulls.keep(box);
}

std::vector<Patch> divided(Patch patch, double share) {
  const Box& box = patch.box();
  // The last of equal axes: halves along it lie apart in memory, so that few rows move.
  int axis = axes - 1;
  while (box.length(axis) < box.length(box.longest_axis())) --axis;
  const int length = box.length(axis);
  std::vector<Patch> parts(1);
  if (length >= 2 * least_length) {
    const int given = refinement * static_cast<int>(std::lround(share * length / refinement));
    const int place =
        box.end[static_cast<std::size_t>(axis)] - std::clamp(given, least_length, length - least_length);
    const auto [lower, upper] = box.cut(axis, place);
    parts.push_back(patch.piece(upper));
    patch.keep(lower);
  }
  parts[0] = std::move(patch);
  return parts;
}

std::vector<Patch> joined(std::vector<Patch> patches) {
  for (std::size_t i = 0; i < patches.size(); ++i)
    for (std::size_t j = i + 1; j < patches.size(); ++j)
      if (std::optional<Patch> both = joined(patches[i], patches[j])) {
        patches[i] = *std::move(both);
        patches.erase(patches.begin() + static_cast<std::ptrdiff_t>(j));
        return joined(std::move(patches));
      }
  return patches;
}

std::uint64_t fingerprint(const Patch& patch, int level) {
  std::uint64_t sum = 0;
  for_each_cell(patch.box(), [&](const Cell& c) {
    auto hash = static_cast<std::uint64_t>(level);
    for (const std::int32_t place : c) hash = apps::mixed(hash + static_cast<std::uint32_t>(place));
    for (const double value : patch.now[c].at) hash = apps::mixed(hash + std::bit_cast<std::uint64_t>(value));
    sum += hash;
  });
  for (const Particle& p : patch.particles) {
    auto hash = static_cast<std::uint64_t>(p.id);
    for (int axis = 0; axis < axes; ++axis)
      for (const double value : {p.at[axis], p.velocity[axis]})
        hash = apps::mixed(hash + std::bit_cast<std::uint64_t>(value));
    sum += hash;
  }
  return sum;
}

Boxes rows_to_refine(const Field& around, const Box& box, const Criteria& criteria, double heat_ratio) {
  Mask mask(box.grown(criteria.buffer));
  bool any = false;
  for_each_cell(box, [&](const Cell& c) {
    if (around[c].mass() > criteria.densest || is_steep(around, c, criteria.steepness, heat_ratio))
      mask[c] = any = true;
  });
  if (!any) return {};
  for (int axis = 0; axis < axes; ++axis) widen(mask, axis, criteria.buffer);
  return rows_of(mask);
}

}  // namespace samr
