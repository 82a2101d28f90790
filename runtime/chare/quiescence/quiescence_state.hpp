// SPDX-License-Identifier: Apache-2.0
// What a PE keeps of what comes when nothing else is under way: quiescence, timers, completion detection.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/balance/lb_step.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/quiescence/called_steps.hpp"
#include "runtime/chare/quiescence/hold_policy.hpp"
#include "runtime/chare/quiescence/quiescence_rounds.hpp"
#include "skein/chare/ticket.hpp"
#include "skein/completion_detector.hpp"

namespace skein::chare {

/// What the loop of this PE goes by.
struct LoopOrders {
  bool over = false;                 ///< the job ends
  bool step_wanted = false;          ///< an LB step is to be made
  balance::StepAt step_at{};         ///< where
  int exit_status = 0;               ///< of the job
  bool timers_set = false;           ///< on this PE
  bool short_waits_ignored = false;  ///< the clock is not read for them
};

/// The round that this PE takes part in.
struct Round {
  struct Question {
    std::uint32_t round;
    Asked whom;
  };

  void (*judge)(Tally) = nullptr;
  Question question{};
  bool asked = false;       // until it has counted itself
  std::size_t missing = 0;  // itself and children that have not answered
  Tally tally;
};

struct Timers {
  /// A call to come, and whose consequence it is.
  struct LaterCall {
    Destination destination;
    Ticket because;
  };
  struct SetTimer {
    LaterCall call;
    double period;  // 0: once
  };
  using Due = std::pair<double, std::uint64_t>;  // in seconds(), and the number, which orders equals

  std::map<Due, SetTimer> set;
  std::map<std::uint64_t, double> due_of;  // by number
  std::uint64_t made = 0, to_come = 0;
  std::deque<LaterCall> when_idle;
};

struct Detectors {
  /// What this PE has counted.
  struct Counted {
    DetectorCounts counts;
    bool report_queued = false;
    bool untold = false;  ///< counted since the root was last told
  };
  /// A detector that this PE began.
  struct Begun {
    std::string name;
    std::int64_t producers = 0;
    Destination destination;
    std::vector<DetectorCounts> reported;  ///< by PE: the latest
    int answers_missing = 0;               ///< 0: not asking
    std::int64_t consumed_before = 0;      ///< by the reports, when the root asked
    std::int64_t produced_after = 0;       ///< by the answers
  };

  std::map<DetectorName, Counted> here;
  std::map<std::uint32_t, Begun> roots;  // by number
  std::vector<std::string> names;        // of all that were begun here, by number
};

struct Quiescence {
  LoopOrders orders;
  Round round;
  Timers timers;
  Detectors detectors;
  bool started = false;
  /// Once a report was ordered: how many of this PE's own and its children's are missing.
  int reports_missing = 0;

  // ---- what PE 0 keeps
  Tally sum;  // of the last round
  std::optional<std::uint64_t> received_before;
  Asked asked_before{};
  std::vector<Destination> wanting_quiescence;
  int final_status = 0;
  bool ending = false, reporting = false;
  bool waits_to_end = false;        // whether reserved PEs that are lost come back
  std::uint64_t round_started = 0;  // ticks
  HoldPolicy hold_policy;
  CalledSteps called_steps;
  /// A PE that waits for an answer is idle for a moment. Rounds then would make the answer later, so after
  /// one that was in vain PE 0 waits longer before the next two.
  double patience_with_idleness_ns = 0;
};
/// Hidden: no indirection by a table of addresses.
[[gnu::visibility("hidden")]] extern PerRuntime<Quiescence> quiescence;

}  // namespace skein::chare
