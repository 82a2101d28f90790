// SPDX-License-Identifier: Apache-2.0
#include "segment_force.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace dislocations {
namespace {

struct Point {
  double at, weight;  // of the interval from -1 to 1
};
constexpr std::array<Point, 2> two_points{{{-0.57735026918962576, 1}, {0.57735026918962576, 1}}};
constexpr std::array<Point, 3> three_points{
    {{-0.77459666924148338, 5.0 / 9}, {0, 8.0 / 9}, {0.77459666924148338, 5.0 / 9}}};

class Quadrature {
 public:
  Quadrature(const Material& material, const Straight& by, const Straight& on, std::uint64_t& evaluations)
      : material_(material),
        by_(by),
        on_(on),
        line_(on.second - on.first),
        length_(norm(line_)),
        is_itself_(by.first == on.first && by.second == on.second),
        evaluations_(evaluations) {}

  // Adds the part of `on` from u to v, as fractions of it.
  void add(double u, double v) {
    const double middle = 0.5 * (u + v), piece = (v - u) * length_;
    const double away = distance_at(middle);
    if (piece > std::max(away, material_.core)) {
      add(u, middle);
      add(middle, v);
    } else if (piece > 0.5 * away) {
      add_points(three_points, u, v);
    } else {
      add_points(two_points, u, v);
    }
  }
  EndForces result() const { return sum_; }

 private:
  // The stress of a segment on its own line varies with the distance from its ends.
  double distance_at(double u) const {
    return is_itself_ ? std::min(u, 1 - u) * length_ : distance(on_.first + u * line_, by_);
  }

  template <class Points>
  void add_points(const Points& points, double u, double v) {
    for (const Point& point : points) {
      const double at = 0.5 * (u + v) + 0.5 * (v - u) * point.at;
      const Stress stress = stress_of(material_, by_, on_.first + at * line_);
      const Vec3 force = 0.5 * (v - u) * point.weight * cross(stress * on_.burgers, line_);
      sum_ += {(1 - at) * force, at * force};
      ++evaluations_;
    }
  }

  const Material& material_;
  const Straight& by_;
  const Straight& on_;
  Vec3 line_;
  double length_;
  bool is_itself_;
  std::uint64_t& evaluations_;
  EndForces sum_;
};

}  // namespace

double distance(const Vec3& at, const Straight& segment) {
  const Vec3 line = segment.second - segment.first, from = at - segment.first;
  const double u = std::clamp(dot(from, line) / dot(line, line), 0.0, 1.0);
  return norm(from - u * line);
}

EndForces force_by(const Stress& stress, const Straight& on) {
  const Vec3 half = 0.5 * cross(stress * on.burgers, on.second - on.first);
  return {half, half};
}

EndForces force_by(const Material& material, const Straight& by, const Straight& on,
                   std::uint64_t& evaluations) {
  Quadrature quadrature(material, by, on, evaluations);
  quadrature.add(0, 1);
  return quadrature.result();
}

}  // namespace dislocations
