// SPDX-License-Identifier: Apache-2.0
#include "write_cells.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "apps/common/picture.hpp"

namespace samr {
namespace {

void write_density(const std::string& path, std::span<const FinalCell> cells) {
  double side = INFINITY, length = 0, height = 0;
  for (const FinalCell& cell : cells) {
    side = std::min(side, cell.side);
    length = std::max(length, cell.x + 0.5 * cell.side);
    height = std::max(height, cell.y + 0.5 * cell.side);
  }
  const auto pixels = [side](double way) { return static_cast<int>(std::lround(way / side)); };
  apps::Field field(pixels(length), pixels(height));
  for (const FinalCell& cell : cells) {
    const int left = pixels(cell.x - 0.5 * cell.side), low = pixels(cell.y - 0.5 * cell.side);
    for (int y = low; y < low + pixels(cell.side); ++y)
      for (int x = left; x < left + pixels(cell.side); ++x) field.at(x, y) = cell.gas.density;
  }
  apps::write_picture(path, field);
}

}  // namespace

void write_cells(const std::string& path, double time, std::span<const FinalCell> cells) {
  if (apps::is_picture(path)) return write_density(path, cells);
  std::ofstream out(path);
  out.precision(std::numeric_limits<double>::max_digits10);
  out << "# time " << time << "\n# x y side density u v pressure\n";
  for (const auto& [x, y, side, gas] : cells)
    out << x << ' ' << y << ' ' << side << ' ' << gas.density << ' ' << gas.u << ' ' << gas.v << ' '
        << gas.pressure << '\n';
  out.close();
  if (!out) throw std::runtime_error("the cells cannot be written to " + path);
}

}  // namespace samr
