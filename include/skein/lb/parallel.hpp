// SPDX-License-Identifier: Apache-2.0
// Parallel strategies: a few processes decide together, each of which knows a part of the objects. No
// process, and no message, ever holds all of them.
//
// What each process has is a SnapshotPart: its own objects, whose numbers are behind those of the processes
// before it, their edges, and all PEs. make_part() makes it of what was measured; decide_in_team() decides.
// The processes exchange what they need by a Team, which whoever runs them provides
// (runtime/net/pe_team.hpp).
//
// All functions that take a team are collective: all of its processes call them in the same order, with the
// same strategy, options and seed. Neither positions nor a graph are in a part unless they are in all.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skein/lb/late.hpp"
#include "skein/lb/measured_objects.hpp"
#include "skein/lb/planner.hpp"
#include "skein/lb/snapshot.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::lb {

/// The processes that decide together.
class Team {
 public:
  using Blocks = std::vector<std::vector<std::byte>>;  // by process

  virtual ~Team() = default;
  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  /// Sends out[p] to process p, and returns what each sent here.
  virtual Blocks exchange(const Blocks& out) = 0;
  /// Element-wise over all processes, in place; bit by bit the same on each.
  virtual void sum(std::span<double> values) = 0;
  /// Its MPI_Comm, for the modules of partitioning libraries.
  virtual const void* communicator() const = 0;
};

struct SnapshotPart {
  Objects objects;  // of this process
  Pes pes;          // all
  CommGraph graph;  // row i: what own object i sent; its `to` are numbers of all objects
  /// Process r has the objects numbered first[r] to first[r + 1] - 1.
  std::vector<ObjectIndex> first;

  std::size_t object_count() const { return objects.size(); }
  std::size_t pe_count() const { return pes.size(); }
  /// The process that has this object.
  std::size_t process_of(ObjectIndex number) const;
};

/// To an object that any process has, by its id.
struct EdgeToId {
  ObjectIndex from = 0;  // place among the measured objects of this process
  std::uint64_t to = 0;
  double bytes = 0;
  std::uint32_t messages = 1;
};

struct MeasuredPart {
  std::vector<MeasuredObject> objects;  // ids that no other object has, here or elsewhere
  std::vector<EdgeToId> edges;
  bool has_edges = false;  // messages were looked at
  std::vector<std::uint32_t> node_of_pe;
  std::vector<double> speed_of_pe;  // empty: all PEs are alike
};

/// Edges to objects that are nowhere drop out. Loads are as in make_snapshot().
SnapshotPart make_part(const MeasuredPart& measured, Team& team);
/// The part that has the objects of a snapshot on PEs `first_pe` to `end_pe` - 1.
SnapshotPart part_of(const Snapshot& snapshot, PeIndex first_pe, PeIndex end_pe, Team& team);

/// When each PE is done with the loads of all objects, where `pe_of` has those of this process. The same on
/// all.
std::vector<double> finish_times(const SnapshotPart& part, const Assignment& pe_of, Team& team);

/// As Selection::decide(), for the objects of this part: the plan's decision has the PEs of these alone, all
/// else in it is the same on all processes. No object is split. Under a memory limit (Pes::memory_bytes)
/// objects that do not fit stay. Throws what Selection::assign() throws, on all processes.
StepPlan decide_in_team(const Selection& selection, const SnapshotPart& part, std::uint64_t seed, Team& team);

/// The plan that puts the objects of this process there, by a strategy of that name.
StepPlan plan_of(std::string_view strategy, const SnapshotPart& part, Assignment pe_of, Team& team);

/// As apply_late() (late.hpp): what becomes of what was decided on `then` for the objects that this process
/// has now, some of which another may have had then. New ones go where the process that has them knows a
/// nearest one, or as far as it knows the PE that is done first. Where memory limits hold, objects that do
/// not fit stay.
struct LatePlan {
  StepPlan plan;
  LateDrift drift;
  bool dropped = false;
};
LatePlan apply_late_in_team(const SnapshotPart& then, const StepPlan& decided, const SnapshotPart& now,
                            Team& team);

/// Why several processes cannot decide by this strategy, and what would change that ("is no parallel program;
/// ..."), or an empty text. Loads the library's module if it has one.
std::string why_not_parallel(const StrategyInfo& info);
/// Names of the strategies of the table that can be, whatever this build has: "random, rcb".
std::string parallel_strategies();

}  // namespace skein::lb
