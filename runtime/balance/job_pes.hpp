// SPDX-License-Identifier: Apache-2.0
// What this PE knows of all PEs: what they are for, how fast, and where.
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
  /// What the scheduler has counted of this thread, ns.
  struct Scheduled {
    std::uint64_t ran = 0, waited = 0;
  };

  bool measured = false;
  bool shares_core = false;  // asked for, and the node has a core for each PE
  double processor = 1;      // of this PE
  double here = 1;
  Scheduled last;
  std::vector<double> of_pe;  // that computed at the start
};

struct Machine {
  std::optional<lb::Topology> topology;
  std::optional<lb::CostModel> costs;
  std::vector<int> domain_of_pe;  // of memory
  int transfers_left = 0;         // while costs are measured
};

struct JobPes {
  // ---- roles
  int reserved = 0;
  int at_start = 0;
  int deciding = 0;
  bool has_team = false;
  std::unique_ptr<lb::Team> team;  ///< of this PE, if it decides

  Speeds speeds;
  Machine machine;
};
/// Hidden: no indirection by a table of addresses.
[[gnu::visibility("hidden")]] extern PerRuntime<JobPes> job_pes;

}  // namespace skein::balance
