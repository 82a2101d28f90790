// SPDX-License-Identifier: Apache-2.0
// The simulated application of lbscenarios: a mesh of vertices, whose work has a pattern in space that may
// drift, on a machine whose costs are known to the play alone.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "skein/lb/cost.hpp"

namespace lbscenarios {

using skein::lb::CostModel;
using skein::lb::PeIndex;
using skein::lb::Snapshot;

enum class Pattern { even, spot, ramp, one_pe, rough };

struct Setting {
  std::size_t columns, rows;  // of vertices
  std::size_t pes;
  Pattern pattern;
  double strength;  // how much more work there is where there is most, relative to the rest
  double drift;     // of a spot's centre: sides of the square in a step
  std::uint64_t seed;

  std::size_t vertices() const { return columns * rows; }
  std::string name() const;
};

class World {
 public:
  explicit World(const Setting& setting);

  // Vertices with their bytes, edges and positions, in blocks on the PEs; loads are those of step 0.
  const Snapshot& start() const { return start_; }
  const CostModel& machine() const { return machine_; }
  // Seconds that vertices take in a step. Steps before 0 are the application's past.
  void loads_at(int step, std::vector<double>& loads) const;
  // What disturbs a PE's step: a factor near 1, of mean 1.
  double disturbance(int step, PeIndex pe) const;
  // The machine as a benchmark at the start of the run would find it, each term up to a tenth off.
  CostModel measured_machine() const;
  // The factor, near 1, between the time that an earlier decision of a strategy took and that of the next.
  double timing_error(std::string_view strategy) const;

 private:
  double work_at(double x, double y, std::size_t vertex, int step) const;

  Setting setting_;
  CostModel machine_;
  Snapshot start_;
};

}  // namespace lbscenarios
