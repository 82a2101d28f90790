// SPDX-License-Identifier: Apache-2.0
#include "write_cells.hpp"

#include <fstream>
#include <limits>
#include <stdexcept>

#include "apps/common/picture.hpp"
#include "problem.hpp"

namespace samr {
namespace {

/// Writes a picture with as many pixels along an axis as the finest level has cells.
void write_density(const std::string& file, const Parameters& p, const std::vector<FinalCell>& cells) {
  const int finest = p.finest(), middle = (p.cells[2] << finest) / 2;
  apps::Field field(p.cells[0] << finest, p.cells[1] << finest);
  for (const auto& [level, cell, gas] : cells) {
    Box pixels = box_of(cell);
    for (int l = level; l < finest; ++l) pixels = pixels.refined();
    if (middle < pixels.first[2] || middle >= pixels.end[2]) continue;
    for (int y = pixels.first[1]; y < pixels.end[1]; ++y)
      for (int x = pixels.first[0]; x < pixels.end[0]; ++x) field.at(x, y) = gas.density();
  }
  apps::write_picture(file, field);
}

}  // namespace

void write_cells(const std::string& file, const Parameters& p, double time, std::vector<FinalCell> cells) {
  if (apps::is_picture(file)) return write_density(file, p, cells);
  std::ranges::sort(cells, {}, [](const FinalCell& c) { return std::pair(c.level, c.cell); });
  std::ofstream out(file);
  out.precision(std::numeric_limits<double>::max_digits10);
  out << "# time " << time << "\n# x y z side density u v w pressure\n";
  for (const auto& [level, cell, gas] : cells) {
    const apps::Vec3 at = middle_of(p, level, cell);
    out << at.x << ' ' << at.y << ' ' << at.z << ' ' << p.spacing(level);
    for (const double value : gas.at) out << ' ' << value;
    out << '\n';
  }
  out.close();
  if (!out) throw std::runtime_error("the cells cannot be written to " + file);
}

void write_particles(const std::string& file, double time, Particles particles) {
  std::ranges::sort(particles, {}, &Particle::id);
  std::ofstream out(file);
  out.precision(std::numeric_limits<double>::max_digits10);
  out << "# time " << time << "\n# id x y z u v w mass\n";
  for (const Particle& p : particles)
    out << p.id << ' ' << p.at.x << ' ' << p.at.y << ' ' << p.at.z << ' ' << p.velocity.x << ' '
        << p.velocity.y << ' ' << p.velocity.z << ' ' << p.mass << '\n';
  out.close();
  if (!out) throw std::runtime_error("the particles cannot be written to " + file);
}

}  // namespace samr
