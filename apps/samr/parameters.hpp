// SPDX-License-Identifier: Apache-2.0
// The parameters of the simulation: those of the scenario and the command line, and values derived from them.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cluster.hpp"
#include "gas.hpp"

namespace samr {

enum class Problem : std::int32_t { sod, sedov, shockpool3d, collapse, pancake, amr64, amr128 };

/// The parameters, as a plain struct: each PE has a copy.
struct Parameters {
  Problem problem = Problem::shockpool3d;
  std::array<std::int32_t, axes> cells{
      32, 32, 32};          ///< of level 0; the domain has length 1 along x, and cells are cubes
  std::int32_t levels = 3;  ///< at most
  std::int32_t steps = 0;   ///< of level 0 at most; 0: until the end
  std::int32_t report = 1;
  std::int32_t buffer = 2;     ///< cells around a flagged one that are flagged, too
  std::int32_t least = 4;      ///< cells of a grid along an axis that clustering leaves, where it cuts
  std::int32_t greatest = 16;  ///< cells of a grid along an axis, before it is divided
  std::int32_t roots = 0;      ///< least number of grids of level 0, if above that of PEs
  double end = 0;              ///< time
  double courant = 0.7;
  double steepness = 0.1;  ///< relative jump of density or pressure between cells from which they are refined
  double efficiency = 0.7;  ///< of clustering
  double overdensity = 0;   ///< of gas from which cells are refined, times 8 a level; 0: none
  double heat_ratio = 1.4;
  double mach = 3;        ///< of the shock of shockpool3d
  double tilt = 10;       ///< of its front, in degrees
  double radius = 0.02;   ///< of the explosion of sedov, of the sphere of collapse
  double gravity = 0;     ///< 4 pi G
  double gas_share = 1;   ///< of the mass; particles are the rest
  double coldest = 1e-7;  ///< pressure to density, where there is gravity
  double memory = 0;      ///< that cells may take, in GiB

  int finest() const { return levels - 1; }
  double spacing(int level) const { return 1.0 / (cells[0] << level); }
  Box domain() const { return {{0, 0, 0}, cells}; }
  bool has_particles() const { return gas_share < 1; }
  /// Returns the density above which gas is refined.
  double densest(int level) const {
    return overdensity > 0 ? overdensity * gas_share * std::pow(8, level)
                           : std::numeric_limits<double>::max();
  }
  bool refines() const { return overdensity > 0 || steepness < std::numeric_limits<double>::max(); }
  /// Returns the memory of so many cells in a step, in GiB: now, before, and with ghost cells.
  static double memory_of(std::int64_t cells) {
    return 3.0 * static_cast<double>(cells) * sizeof(State) / 0x1p30;
  }
  Clustering clustering() const { return {efficiency, least / refinement, greatest / refinement}; }
};

struct CommandLine {
  Parameters parameters;
  std::string write;            ///< file for the cells at the end; empty: none
  std::string write_particles;  ///< file for the particles at the end; empty: none
  std::string write_slices;     ///< file for slices of the middle of the domain, at each report; empty: none
  std::string problem;          ///< its name

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& parameters& write& write_particles& write_slices& problem;
  }
};

/// Reads the parameters: see apps::read(). `nodes`: the nodes that share the memory.
std::optional<int> read(const std::vector<std::string>& words, int nodes, CommandLine& line);

}  // namespace samr
