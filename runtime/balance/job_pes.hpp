// SPDX-License-Identifier: Apache-2.0
// This PE's knowledge of all PEs: their roles, speeds and places.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "skein/lb/parallel.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::balance {

struct Speeds {
  /// The times of this thread as the scheduler counts them, ns.
  struct Scheduled {
    std::uint64_t ran = 0, waited = 0;
  };

  bool measured = false;
  bool shares_core = false;  // its share is measured: wished for, and each PE has a core
  double processor = 1;      // speed of this PE's processor
  double here = 1;
  Scheduled last;
  std::vector<double> of_pe;  // speeds of the PEs that computed at the start
};

struct Machine {
  std::optional<lb::Topology> topology;
  std::optional<lb::CostModel> costs;
  std::vector<int> domain_of_pe;  // memory domain
  int transfers_left = 0;         // bulk transfers under way while costs are measured
};

struct JobPes {
  // ---- roles
  int reserved = 0;
  int at_start = 0;
  int deciding = 0;
  bool has_team = false;
  std::unique_ptr<lb::Team> team;  ///< if this PE decides in a team

  Speeds speeds;
  Machine machine;
};
/// Hidden visibility avoids the indirection through a table of addresses.
[[gnu::visibility("hidden")]] extern PerRuntime<JobPes> job_pes;

}  // namespace skein::balance
