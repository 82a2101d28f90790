// SPDX-License-Identifier: Apache-2.0
// What LB steps balance: the ranks of an MPI program (rank_objects.cpp), or the elements of a native
// program's arrays (runtime/chare/balance.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "skein/lb/distributed.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::balance {

struct MoveTotals {
  std::uint64_t objects = 0;
  std::uint64_t bytes_handed_over = 0;  ///< in slots that changed hands without a copy
  std::uint64_t bytes_copied = 0;
};

struct Objects {
  const char* noun;       ///< "ranks"
  const char* sync_hint;  ///< for a job without an LB step: how a program comes to a sync point
  /// The snapshot of the whole job. Collective, the same result on each PE. Takes the loads since the last
  /// call and starts the next interval.
  lb::Snapshot (*collect)();
  /// The seconds that each object of the last snapshot took, where its load is something else; null: loads
  /// are times. The same on each PE.
  const std::vector<double>* (*busy_in_interval)();
  /// Those that the last snapshot found pinned, ascending; the same on each PE.
  const std::vector<int>& (*pinned)();
  /// Puts every object of that snapshot where the decision says, and parts of those that may be split.
  /// Collective. Totals of what left this PE.
  MoveTotals (*move)(const lb::Decision& decision);
  /// Whether move() has something to do even where the decision leaves all objects where they are. The same
  /// on each PE.
  bool (*has_own_changes)(const lb::Decision& decision);
  /// What this PE alone knows of its own objects, for a distributed strategy, and the PE of every object by
  /// the numbers that it uses. Null: such strategies are played on the snapshot.
  lb::LocalPe (*collect_local)();
  const std::vector<int>& (*places)();
  /// Whether a move takes time for an object's bytes; else they cost only later, when the new PE meets their
  /// pages.
  bool (*moves_copy)();
  /// How long the objects of this PE waited for the others at the present step, s.
  double (*meeting_seconds)();
  /// What all objects have used of this PE while they were here.
  double (*busy_seconds)();
};

/// Once, before the first LB step.
void set_objects(const Objects& objects);
const Objects& objects();

}  // namespace skein::balance
