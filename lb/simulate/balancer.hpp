// SPDX-License-Identifier: Apache-2.0
// Plans the LB steps of a simulated job: with the planner of a run (skein/lb/planner.hpp), on snapshots that
// the same code builds, and with times from the platform instead of a clock.
//
// A step is step(), then moved_in(). In lazy mode the caller calls decide() while the objects go on; if
// moves() is true then, it calls apply() and moved_in() at the agreed sync point, else stays().
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lb/simulate/message.hpp"
#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::simulate {

/// Returns the PE of each object at the start of the job.
lb::Assignment first_placement(const trace::Trace& trace, const Platform& platform, const Policy& policy);

/// The engine's measurements of an object since the last LB step.
struct ObjectMeasurement {
  Ns busy = 0;  // processor time on its PE, which a run measures as its load
  std::uint64_t bytes = 0;
  bool ended = false;
  std::optional<double> declared = {};  // load, used instead of the measured one: s, on a PE of speed 1
  std::int32_t level = lb::kNoLevel;
  bool divisible = false;
  ObjectIndex whole = kNone;  // the divided object that this part belongs to; kNone: no part
};

/// Two parts of an object, the second of which is merged into the first.
using Merge = std::pair<ObjectIndex, ObjectIndex>;

struct StepOutcome {
  lb::Assignment placement;  // of all objects, then of the parts that are split off, in the order of `splits`
  std::vector<lb::Split> splits;
  std::vector<Merge> merges;
  StepRecord record;  // complete except for `at`
  /// The moved bytes between two PEs on different nodes, which the engine plays as messages through the
  /// network.
  struct Transfer {
    PeIndex from, to;
    std::uint64_t bytes;
  };
  std::vector<Transfer> transfers;
  Ns decided = 0;  // time to meet, collect and decide; transfers begin this long after the last PE came
  std::vector<Ns> moving_of_pe;  // own time of each PE for its moves, beside transfers
};

class Balancer {
 public:
  /// `placed`: the PE of each object at first. The platform must outlive the balancer. Throws
  /// SimulationError or lb::StrategyError if the policy cannot be followed: for example a strategy that needs
  /// positions, which no trace has.
  Balancer(const Platform& platform, const Policy& policy, lb::Assignment placed);
  ~Balancer();
  /// Returns true if the objects stop at the sync point after `passed` others (0, 1, ...). Equal for all
  /// objects.
  bool gathers(std::uint64_t passed) const;
  /// Returns the number of the first sync point after `passed` others at which the objects stop; the last
  /// step was at point `passed`.
  std::uint64_t next_step(std::uint64_t passed) const;
  /// Returns true if there is a strategy.
  bool balances() const;
  /// Returns true if the strategy reads messages between objects.
  bool wants_traffic() const;
  /// Makes an LB step once all objects have come, the last PE at `at`. `waited`: time that each PE waited for
  /// the last one. `traffic`: messages since the last step. Throws SimulationError if objects do not fit into
  /// the memory of PEs, and the errors of the strategy.
  StepOutcome step(Ns at, std::span<const Ns> waited, std::span<const ObjectMeasurement> objects,
                   std::span<const lb::CommEdge> traffic);
  /// Lets the strategy decide for the objects as they were when they were asked, `points` sync points after
  /// the last asking that was decided on. Returns the time to collect and decide, from `at` on.
  Ns decide(Ns at, std::uint64_t points, std::span<const ObjectMeasurement> objects,
            std::span<const lb::CommEdge> traffic);
  bool moves() const;
  void stays();
  /// Applies the decision to the present objects once all have come, the last PE at `at`. `objects`: with
  /// loads of an interval between askings. The record lacks the sync points.
  StepOutcome apply(Ns at, std::span<const ObjectMeasurement> objects);

  /// Takes the time of the step's moves on the PE with most, transfers included. Call it after each step,
  /// before gathers().
  void moved_in(Ns time);
  const lb::Assignment& placement() const;
  /// Corrects the placement, also that at first, for elements that were made on other PEs than planned.
  void set_placement(const lb::Assignment& place);
  /// Returns the number of PEs that have objects: the first ones.
  std::size_t computing_pes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skein::simulate
