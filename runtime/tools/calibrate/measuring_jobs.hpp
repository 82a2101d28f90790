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
  /// The words before `skein run` that start the PEs of several nodes: "mpiexec -n 8 --hostfile hosts".
  /// Empty: only this node is measured.
  std::string start;
  /// Called before each job with what it measures.
  std::function<void(const std::string& what)> tell;
};

/// Runs the measuring program, which is installed beside the libraries, and collects its results and the
/// runtime's, except decisions. Throws skein::Error, naming the command, if a job fails.
simulate::Measurements run_measuring_jobs(const MeasuringJobs& jobs);

/// Measures how long 1, 2, 4, up to so many PEs of this node take to decide together, by each parallel
/// strategy, about ranks on two more PEs, which wait meanwhile. Returns nothing if there is one PE.
std::vector<simulate::TogetherTime> time_decisions_together(const MeasuringJobs& jobs);

/// Measures how long each strategy of this build takes to decide alone, on meshes of three sizes, with other
/// data in the caches: the median of some tries. Omits strategies that cannot be used on them. `auto` is
/// without what it tries. (decisions.cpp)
std::vector<simulate::DecisionTime> time_decisions();

}  // namespace skein::tools
