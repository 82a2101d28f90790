// SPDX-License-Identifier: Apache-2.0
#include "centres.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "apps/moldyn/scenario.hpp"

namespace moldyn {

std::vector<Centre> placed_centres(const Placement& placement, const Parameters& parameters) {
  const Vec3& box = parameters.grid.box;
  const auto side = [&](double of_wire, double of_box) {
    return of_wire + placement.frame * (of_box - of_wire);
  };
  const double length = side(wire_length(parameters), box.x), width = side(2 * parameters.radius, box.y);
  const double step = length / placement.along, step_across = width / placement.across;
  std::mt19937 draw(parameters.seed);
  const auto disturbance = [&] {
    return placement.jitter *
           (2 * static_cast<double>(draw()) / static_cast<double>(std::mt19937::max()) - 1);
  };
  std::vector<Centre> centres;
  for (int i = 0; i < placement.across; ++i)
    for (int j = 0; j < placement.along; ++j) {
      const double along = std::pow((j + 0.5) / placement.along, placement.skew);
      const double across = (i + 0.5) / placement.across;
      Vec3 at{box.x / 2 + (along - 0.5) * length, box.y / 2 + (across - 0.5) * width, box.z / 2};
      at.x += step * disturbance();
      at.y += step_across * disturbance();
      at.z += step_across * disturbance();
      centres.push_back({at, 0});
    }
  return centres;
}

int owner_of(std::span<const Centre> centres, std::span<const int> candidates, const Vec3& x) {
  int owner = candidates.front();
  double least = centres[static_cast<std::size_t>(owner)].measure(x);
  for (const int candidate : candidates.subspan(1)) {
    const double measure = centres[static_cast<std::size_t>(candidate)].measure(x);
    if (measure < least) least = measure, owner = candidate;
  }
  return owner;
}

// The owner of x has |x - c|^2 <= radius^2 - b_p + b, and its centre is at most radius farther from p's.
std::vector<int> candidates_near(std::span<const Centre> centres, int p, double radius) {
  const Centre& here = centres[static_cast<std::size_t>(p)];
  std::vector<int> near;
  for (std::size_t q = 0; q < centres.size(); ++q) {
    const double most2 = radius * radius - here.bias + centres[q].bias;
    if (most2 < 0) continue;
    const Vec3 apart = centres[q].at - here.at;
    const double most = (1 + 1e-9) * (radius + std::sqrt(most2));  // for rounding
    if (dot(apart, apart) <= most * most) near.push_back(static_cast<int>(q));
  }
  return near;
}

std::vector<int> neighbours_of(std::span<const Centre> centres, int p) {
  const Vec3& here = centres[static_cast<std::size_t>(p)].at;
  std::vector<int> neighbours;
  for (std::size_t q = 0; q < centres.size(); ++q) {
    if (static_cast<int>(q) == p) continue;
    const Vec3 middle = 0.5 * (here + centres[q].at), half = here - middle;
    const bool between = std::ranges::any_of(centres, [&](const Centre& other) {
      const Vec3 from_middle = other.at - middle;
      return dot(from_middle, from_middle) < (1 - 1e-9) * dot(half, half);
    });
    if (!between) neighbours.push_back(static_cast<int>(q));
  }
  return neighbours;
}

}  // namespace moldyn
