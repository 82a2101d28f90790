// SPDX-License-Identifier: Apache-2.0
// Pictures of scalar fields in two dimensions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace apps {

/// Values on a grid of pixels, row by row; the first row is the lowest one.
struct Field {
  int width = 0, height = 0;
  std::vector<double> values;

  Field(int its_width, int its_height)
      : width(its_width),
        height(its_height),
        values(static_cast<std::size_t>(its_width) * static_cast<std::size_t>(its_height)) {}
  double& at(int x, int y) {
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

/// Returns true if the name is one of a picture: *.ppm, *.png.
bool is_picture(const std::string& path);

/// Writes the field in the colours of viridis, from its smallest value, dark, to its largest, yellow; values
/// that are not finite are grey. Throws std::runtime_error if the file cannot be written, or is a PNG and
/// libpng was not there when this was built.
void write_picture(const std::string& path, const Field& field);

}  // namespace apps
