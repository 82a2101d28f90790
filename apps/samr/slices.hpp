// SPDX-License-Identifier: Apache-2.0
// Writes the density in the middle of the domain along z, grid by grid, for `skein report`
// (docs/simulation.md, "Slices").
#pragma once

#include <string>

#include "parameters.hpp"
#include "patch.hpp"

namespace samr {

/// The cells of a patch just above the middle.
struct PatchSlice {
  std::int32_t level = 0, pe = 0;
  Box box;                     ///< of these cells
  std::vector<float> density;  ///< x fastest

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& level& pe& box& density;
  }
};

/// Returns the slices of the patches; patches elsewhere have none.
std::vector<PatchSlice> sliced(const std::vector<Patch>& patches, std::int32_t level, std::int32_t pe,
                               const Parameters& parameters);

/// Begins the file. Throws std::runtime_error if it cannot be written.
void begin_slices(const std::string& file, const Parameters& parameters, const std::string& problem, int pes);
/// Adds a line. Throws std::runtime_error if the file cannot be written.
void write_slice(const std::string& file, const Parameters& parameters, double time,
                 std::vector<PatchSlice> slices);

}  // namespace samr
