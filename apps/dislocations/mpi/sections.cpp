// SPDX-License-Identifier: Apache-2.0
#include "sections.hpp"

#include <algorithm>
#include <numeric>

namespace dislocations {
namespace {

std::vector<double> even_borders(double side, int sections) {
  std::vector<double> borders;
  for (int k = 0; k <= sections; ++k) borders.push_back(k * side / sections);
  return borders;
}

/// Returns the section of x; places outside belong to the first or the last.
int section_of(std::span<const double> borders, double x) {
  const auto inner = borders.subspan(1, borders.size() - 2);
  return static_cast<int>(std::ranges::upper_bound(inner, x) - inner.begin());
}

}  // namespace

Sections::Sections(const Box& box, std::array<int, 3> counts)
    : counts_(counts), x_(even_borders(box.side, counts[0])) {
  y_.assign(static_cast<std::size_t>(counts[0]), even_borders(box.side, counts[1]));
  z_.assign(static_cast<std::size_t>(counts[0]),
            std::vector(static_cast<std::size_t>(counts[1]), even_borders(box.side, counts[2])));
}

std::int32_t Sections::domain_of(const Vec3& x) const {
  const int i = section_of(x_, x.x);
  const int j = section_of(y_[static_cast<std::size_t>(i)], x.y);
  const int k = section_of(z_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)], x.z);
  return (i * counts_[1] + j) * counts_[2] + k;
}

void Sections::shift(std::span<const double> loads) {
  const auto ny = static_cast<std::size_t>(counts_[1]), nz = static_cast<std::size_t>(counts_[2]);
  const auto sum = [](std::span<const double> part) {
    return std::accumulate(part.begin(), part.end(), 0.0);
  };
  std::vector<double> slabs;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    std::vector<double> columns;
    for (std::size_t j = 0; j < ny; ++j) {
      const auto column = loads.subspan((i * ny + j) * nz, nz);
      columns.push_back(sum(column));
      z_[i][j] = shifted_borders(z_[i][j], column);
    }
    y_[i] = shifted_borders(y_[i], columns);
    slabs.push_back(sum(columns));
  }
  x_ = shifted_borders(x_, slabs);
}

std::vector<double> shifted_borders(std::span<const double> borders, std::span<const double> loads) {
  const std::size_t sections = loads.size();
  const double total = std::accumulate(loads.begin(), loads.end(), 0.0);
  std::vector<double> shifted(borders.begin(), borders.end());
  if (!(total > 0)) return shifted;
  std::size_t in = 0;
  double before = 0;  // the load of the sections before that one
  for (std::size_t k = 1; k < sections; ++k) {
    const double wanted = total * static_cast<double>(k) / static_cast<double>(sections);
    while (in + 1 < sections && before + loads[in] < wanted) before += loads[in++];
    const double part = loads[in] > 0 ? std::clamp((wanted - before) / loads[in], 0.0, 1.0) : 0.5;
    const double ideal = borders[in] + part * (borders[in + 1] - borders[in]);
    shifted[k] = std::clamp(ideal, 0.5 * (borders[k - 1] + borders[k]), 0.5 * (borders[k] + borders[k + 1]));
  }
  return shifted;
}

}  // namespace dislocations
