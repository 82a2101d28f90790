// SPDX-License-Identifier: Apache-2.0
// A PE's state for times when nothing is under way: quiescence, timers, completion detection.
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

/// Orders to the loop of this PE.
struct LoopOrders {
  bool over = false;                 ///< the job ends
  bool step_wanted = false;          ///< an LB step is to be made
  balance::StepAt step_at{};         ///< kind of that step
  int exit_status = 0;               ///< of the job
  bool timers_set = false;           ///< on this PE
  bool short_waits_ignored = false;  ///< short waits are not timed
};

/// The round that this PE takes part in.
struct Round {
  struct Question {
    std::uint32_t round;
    Asked whom;
  };

  void (*judge)(Tally) = nullptr;
  Question question{};
  bool asked = false;       // until the PE has counted itself
  std::size_t missing = 0;  // itself and children that have not answered
  Tally tally;
};

struct Timers {
  /// A later call, and its cause.
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
  /// This PE's counts.
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
    std::vector<DetectorCounts> reported;  ///< the latest, by PE
    int answers_missing = 0;               ///< 0: not asking
    std::int64_t consumed_before = 0;      ///< by the reports, when the root asked
    std::int64_t produced_after = 0;       ///< by the answers
  };

  std::map<DetectorName, Counted> here;
  std::map<std::uint32_t, Begun> roots;  // by number
  std::vector<std::string> names;        // of all detectors begun here, by number
};

struct Quiescence {
  LoopOrders orders;
  Round round;
  Timers timers;
  Detectors detectors;
  bool started = false;
  /// Reports missing after an order to report: this PE's own and its children's.
  int reports_missing = 0;

  // ---- state of PE 0
  Tally sum;  // of the last round
  std::optional<std::uint64_t> received_before;
  Asked asked_before{};
  std::vector<Destination> wanting_quiescence;
  int final_status = 0;
  bool ending = false, reporting = false;
  bool waits_to_end = false;        // for lost reserved PEs to come back
  std::uint64_t round_started = 0;  // ticks
  HoldPolicy hold_policy;
  CalledSteps called_steps;
  /// A PE that waits for an answer is idle for a moment. Rounds would then delay the answer, so after a vain
  /// round PE 0 waits longer before the next two.
  double patience_with_idleness_ns = 0;
};
/// Hidden: accessed without the global offset table.
[[gnu::visibility("hidden")]] extern PerRuntime<Quiescence> quiescence;

}  // namespace skein::chare
