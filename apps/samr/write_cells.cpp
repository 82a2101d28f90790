// SPDX-License-Identifier: Apache-2.0
#include "write_cells.hpp"

#include <fstream>
#include <limits>
#include <stdexcept>

namespace samr {

void write_cells(const std::string& path, double time, std::span<const FinalCell> cells) {
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
