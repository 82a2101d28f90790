// SPDX-License-Identifier: Apache-2.0
#include "neighbour_list.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace moldyn {
namespace {

/// Atoms by cubes of side `reach`. The cubes divide all space, whatever atoms there are, so that the order of
/// cubes around a place is equal on all processes.
class Cubes {
 public:
  Cubes(std::span<const Vec3> places, double reach) : reach_(reach) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto [low, high] = std::ranges::minmax(places, {}, [axis](const Vec3& x) { return x[axis]; });
      low_[axis] = std::floor(low[axis] / reach) - 1;
      count_[axis] = static_cast<std::size_t>(std::floor(high[axis] / reach) - low_[axis]) + 2;
    }
    std::vector<std::size_t> cube;
    for (const Vec3& x : places) cube.push_back(cube_of(x));
    first_.assign(count_[0] * count_[1] * count_[2] + 1, 0);
    for (const std::size_t c : cube) ++first_[c + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    atoms_.resize(places.size());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t k = 0; k < places.size(); ++k) atoms_[next[cube[k]]++] = static_cast<std::uint32_t>(k);
  }

  /// Calls f(atom) for the atoms in the 27 cubes around the place.
  template <class F>
  void for_each_near(const Vec3& x, F f) const {
    const std::size_t middle = cube_of(x), plane = count_[1] * count_[2];
    for (std::size_t i = middle - plane; i <= middle + plane; i += plane)
      for (std::size_t j = i - count_[2]; j <= i + count_[2]; j += count_[2])  // 3 cubes are contiguous
        for (std::uint32_t k = first_[j - 1]; k < first_[j + 2]; ++k) f(atoms_[k]);
  }

 private:
  std::size_t cube_of(const Vec3& x) const {
    std::size_t cube = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double at = std::floor(x[static_cast<int>(axis)] / reach_) - low_[static_cast<int>(axis)];
      cube = cube * count_[axis] + static_cast<std::size_t>(at);
    }
    return cube;
  }

  double reach_;
  Vec3 low_;
  std::size_t count_[3] = {};
  std::vector<std::uint32_t> first_, atoms_;
};

}  // namespace

std::uint64_t NeighbourList::find(std::span<const Vec3> places, std::span<const std::uint32_t> own,
                                  double reach) {
  own_.assign(own.begin(), own.end());
  first_.assign(1, 0);
  neighbours_.clear();
  if (own.empty()) return 0;
  const Cubes cubes(places, reach);
  std::uint64_t candidates = 0;
  for (const std::uint32_t i : own) {
    cubes.for_each_near(places[i], [&](std::uint32_t j) {
      ++candidates;
      const Vec3 apart = places[i] - places[j];
      if (dot(apart, apart) < reach * reach && i != j) neighbours_.push_back(j);
    });
    first_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
  }
  return candidates;
}

template <class F>
void NeighbourList::for_each_within(double cutoff2, std::span<const Vec3> places, std::size_t i, F f) const {
  const Vec3 at = places[own_[i]];
  for (std::size_t k = first_[i]; k < first_[i + 1]; ++k) {
    const Vec3 apart = at - places[neighbours_[k]];
    const double distance2 = dot(apart, apart);
    if (distance2 < cutoff2) f(neighbours_[k], apart, distance2);
  }
}

void NeighbourList::sum_terms(const EmbeddedAtom& potential, std::span<const Vec3> places,
                              std::span<double> density, std::span<double> repulsion) const {
  for (std::size_t i = 0; i < own_.size(); ++i) {
    double sum = 0, energy = 0;
    for_each_within(potential.cutoff2(), places, i, [&](std::uint32_t, const Vec3&, double distance2) {
      const EmbeddedAtom::PairTerms terms = potential.terms(distance2);
      sum += terms.density;
      energy += 0.5 * terms.repulsion;
    });
    density[i] = sum, repulsion[i] = energy;
  }
}

void NeighbourList::sum_forces(const EmbeddedAtom& potential, std::span<const Vec3> places,
                               std::span<const double> slope, std::span<Vec3> force) const {
  for (std::size_t i = 0; i < own_.size(); ++i) {
    Vec3 sum;
    const double own_slope = slope[own_[i]];
    for_each_within(potential.cutoff2(), places, i,
                    [&](std::uint32_t j, const Vec3& apart, double distance2) {
                      sum += potential.push(distance2, own_slope + slope[j]) * apart;
                    });
    force[i] = sum;
  }
}

}  // namespace moldyn
