// SPDX-License-Identifier: Apache-2.0
// Parallel strategies: a few processes decide together, each of which knows a part of the objects. No
// process, and no message, ever holds all of them.
//
// Each process has a SnapshotPart: its own objects, numbered after those of the processes before it, their
// edges, and all PEs. make_part() makes it from measurements; decide_in_team() decides. The processes
// exchange data by a Team, which their runner provides (runtime/net/pe_team.hpp).
//
// All functions that take a team are collective: all processes of the team call them in the same order, with
// the same strategy, options and seed. A part has positions or a graph only if all parts have them.
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
  /// Sends out[p] to process p, and returns by process the bytes that came from it.
  virtual Blocks exchange(const Blocks& out) = 0;
  /// Sums `values` element-wise over all processes, in place; the result is bitwise equal on each.
  virtual void sum(std::span<double> values) = 0;
  /// Returns the team's MPI_Comm, for the modules of partitioning libraries.
  virtual const void* communicator() const = 0;
};

struct SnapshotPart {
  Objects objects;  // of this process
  Pes pes;          // all
  CommGraph graph;  // row i: messages of own object i; `to` are numbers of all objects
  /// Process r has the objects numbered first[r] to first[r + 1] - 1.
  std::vector<ObjectIndex> first;

  std::size_t object_count() const { return objects.size(); }
  std::size_t pe_count() const { return pes.size(); }
  /// Returns the process that has object `number`.
  std::size_t process_of(ObjectIndex number) const;
};

/// An edge to an object of any process, named by its id.
struct EdgeToId {
  ObjectIndex from = 0;  // index among the measured objects of this process
  std::uint64_t to = 0;
  double bytes = 0;
  std::uint32_t messages = 1;
};

struct MeasuredPart {
  std::vector<MeasuredObject> objects;  // ids are unique among all processes
  std::vector<EdgeToId> edges;
  bool has_edges = false;  // messages were recorded
  std::vector<std::uint32_t> node_of_pe;
  std::vector<double> speed_of_pe;  // empty: all PEs are alike
};

/// Makes the part. Edges to objects that no process has drop out. Loads are as in make_snapshot().
SnapshotPart make_part(const MeasuredPart& measured, Team& team);
/// Makes the part with the objects of a snapshot on PEs `first_pe` to `end_pe` - 1.
SnapshotPart part_of(const Snapshot& snapshot, PeIndex first_pe, PeIndex end_pe, Team& team);

/// Returns the finish time of each PE under the loads of all objects, equal on all; `pe_of` places this
/// process's objects.
std::vector<double> finish_times(const SnapshotPart& part, const Assignment& pe_of, Team& team);

/// Decides as Selection::decide() does, for the objects of this part: the decision of the returned plan has
/// their PEs only, everything else in the plan is equal on all processes. No object is split. Under a memory
/// limit (Pes::memory_bytes) objects that do not fit stay. Throws on all what Selection::assign() throws.
StepPlan decide_in_team(const Selection& selection, const SnapshotPart& part, std::uint64_t seed, Team& team);

/// Returns the plan that places the objects of this process as `pe_of` says, by a strategy called `strategy`.
StepPlan plan_of(std::string_view strategy, const SnapshotPart& part, Assignment pe_of, Team& team);

/// Applies a decision late, as apply_late() (late.hpp) does, to the objects that this process has now;
/// another process may have had some of them when `then` was measured. New objects go where this process
/// knows a nearest one, or to the PE that is done first as far as it knows. Objects that exceed a memory
/// limit stay.
struct LatePlan {
  StepPlan plan;
  LateDrift drift;
  bool dropped = false;
};
LatePlan apply_late_in_team(const SnapshotPart& then, const StepPlan& decided, const SnapshotPart& now,
                            Team& team);

/// Returns why several processes cannot decide by this strategy, and what would change that ("is no parallel
/// program; ..."), or an empty text. Loads the library's module if the strategy has one.
std::string why_not_parallel(const StrategyInfo& info);
/// Returns the names of the table's parallel strategies, whether or not this build has them: "random, rcb".
std::string parallel_strategies();

}  // namespace skein::lb
