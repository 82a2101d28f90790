// SPDX-License-Identifier: Apache-2.0
// The LB steps of a simulated job: the same planner as in a run (skein/lb/planner.hpp), on snapshots that are
// built by the same code, with times from the platform instead of a clock.
//
// A step is step(), then moved_in(). In lazy mode there is decide(), while the objects go on; if moves()
// then, at the agreed sync point apply() and moved_in(), else stays().
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

/// Where the objects of a job are at first.
lb::Assignment first_placement(const trace::Trace& trace, const Platform& platform, const Policy& policy);

/// What the engine measured of an object since the last LB step.
struct ObjectMeasurement {
  Ns busy = 0;  // processor time on the PE where it was: what a run measures as its load
  std::uint64_t bytes = 0;
  bool ended = false;
  std::optional<double> declared = {};  // instead of a measured load: s, on a PE of speed 1
  std::int32_t level = lb::kNoLevel;
  bool divisible = false;
  ObjectIndex whole = kNone;  // of a part: the object that it is of
};

/// The second part is merged into the first.
using Merge = std::pair<ObjectIndex, ObjectIndex>;

struct StepOutcome {
  lb::Assignment placement;  // of all objects, then of the parts that are split off, in their order
  std::vector<lb::Split> splits;
  std::vector<Merge> merges;
  StepRecord record;  // all but `at`
  /// What the step keeps each PE busy for, from the last PE's coming on; moved bytes between nodes go through
  /// the network as messages, which the engine plays: these.
  struct Transfer {
    PeIndex from, to;
    std::uint64_t bytes;
  };
  std::vector<Transfer> transfers;
  Ns decided = 0;  // meeting, collecting, deciding: transfers begin this much after the last PE came
  std::vector<Ns> moving_of_pe;  // own time of each PE for its moves, beside transfers
};

class Balancer {
 public:
  /// `placed`: the PE of each object at first. The platform must outlive the balancer. Throws
  /// SimulationError, lb::StrategyError where the policy cannot be followed, as strategies that need
  /// positions, which no trace has.
  Balancer(const Platform& platform, const Policy& policy, lb::Assignment placed);
  ~Balancer();
  /// Whether the objects stop at the sync point after `passed` others (0, 1, ...): all answer alike.
  bool gathers(std::uint64_t passed) const;
  /// The number of the first such one behind `passed` others, at which the last step was.
  std::uint64_t next_step(std::uint64_t passed) const;
  /// Whether there is a strategy.
  bool balances() const;
  /// Whether edges are looked at.
  bool wants_traffic() const;
  /// All have come, the last PE at `at`; `waited`: for it, by PE. `traffic`: since the last step. Throws
  /// SimulationError where objects do not fit into the memory of PEs, and what the strategy throws.
  StepOutcome step(Ns at, std::span<const Ns> waited, std::span<const ObjectMeasurement> objects,
                   std::span<const lb::CommEdge> traffic);
  /// The strategy's decision for the objects as they were when they were asked, `points` sync points after
  /// the last asking that was decided on: what collecting and deciding take from `at` on.
  Ns decide(Ns at, std::uint64_t points, std::span<const ObjectMeasurement> objects,
            std::span<const lb::CommEdge> traffic);
  bool moves() const;
  void stays();
  /// All have come, the last PE at `at`: the decision on the objects that there are now. `objects`: loads as
  /// of an interval between askings. The record lacks the sync points, and Policy::keep_bursts nothing.
  StepOutcome apply(Ns at, std::span<const ObjectMeasurement> objects);

  /// After each step, before gathers() is asked again: how long its moves took on the PE with most, transfers
  /// included.
  void moved_in(Ns time);
  const lb::Assignment& placement() const;
  /// Elements have been made on other PEs than those where they were placed at first.
  void set_placement(const lb::Assignment& place);
  /// PEs that have objects, the first ones.
  std::size_t computing_pes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace skein::simulate
