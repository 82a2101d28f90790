// SPDX-License-Identifier: Apache-2.0
// Reads the cells that samr has written, for the programs beside it, which share only this format with samr.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

struct Written {
  double x, y, z, side, density, u, v, w, pressure;
};

struct WrittenCells {
  double time = 0;
  std::vector<Written> cells;
};

/// Returns the cells; none if the file is wrong.
inline WrittenCells read_cells(const char* path) {
  std::ifstream in(path);
  std::string line, word;
  WrittenCells found;
  if (!(in >> word >> word >> found.time)) return {};
  std::getline(in, line);
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream words(line);
    Written c{};
    if (!(words >> c.x >> c.y >> c.z >> c.side >> c.density >> c.u >> c.v >> c.w >> c.pressure)) return {};
    found.cells.push_back(c);
  }
  return found;
}
