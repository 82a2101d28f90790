// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "skein/lb/calibration.hpp"

namespace skein::tools {

struct MeasuringJobs {
  std::uint32_t pes = 1;  ///< of this node
  /// What stands before `skein run` to start the PEs of several nodes: "mpiexec -n 8 --hostfile hosts".
  /// Empty: this node alone is measured.
  std::string start;
  /// Called before each job with what it measures.
  std::function<void(const std::string& what)> tell;
};

/// Runs the measuring program, which is installed beside the libraries, and takes what it and the runtime
/// tell; all but the decisions. Throws skein::Error, naming the command, if a job fails.
simulate::Measurements run_measuring_jobs(const MeasuringJobs& jobs);

/// How long 1, 2, 4, up to so many PEs of this node take that decide together, by each strategy that has a
/// library for that, about ranks on two more PEs, which wait meanwhile. None where there is one PE.
std::vector<simulate::TogetherTime> time_decisions_together(const MeasuringJobs& jobs);

/// How long each strategy of this build takes to decide alone, on meshes of three sizes, each time with other
/// things in the caches: the median of some tries. Those that cannot be used on them are left out. `auto` is
/// without what it tries. (decisions.cpp)
std::vector<simulate::DecisionTime> time_decisions();

}  // namespace skein::tools
