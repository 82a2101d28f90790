// SPDX-License-Identifier: Apache-2.0
// A PE's state from one LB step to the next.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/balance/agreed_steps.hpp"
#include "runtime/balance/step_config.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "skein/lb/interval.hpp"
#include "skein/lb/lazy.hpp"

namespace skein::balance {

class DecisionScheme;
class Objects;
enum class StepAt : bool;

/// The state of the agreement on the next step.
struct Agreement {
  AgreedObjects objects;
  lb::Period period;
  lb::lazy::Coordinator coordinator;  // on PE 0
  lb::lazy::Point last = 0;           // sync point of the last agreed step that is over here
  lb::lazy::Point stop = 0;           // sync point of the agreed step that is not over; 0: none
  bool is_called_early = false;       // the step after the present one is called for already
  double delay_s = 0;                 // from one step to the next call
  double least_delay_s = 0;           // a lower bound for delay_s where the job is idle
  bool in_waits = false;              // all are to stop in waits
  double began_at = 0;
  double called_at = 0;             // on PE 0: when it called for a step that is not over; 0: none
  double patience_s = 0;            // on PE 0: time from the call until all are to stop in waits
  bool stops = false;               // on PE 0: it has told all to stop in waits
  double longest_stop_s = 1;        // time that ranks may take to stop in waits, at first
  std::uint64_t points_before = 0;  // on PE 0: sync points passed before the last step
  Agreed came;                      // on PE 0: the figures so far
};

/// Packets of the exchanges of blocks in a step.
struct Exchange {
  std::uint64_t packets_sent = 0, packets_received = 0;
  /// The blocks that came, by the parity of their exchange. A PE may be one exchange ahead of another, as it
  /// starts the next one as soon as it knows that all has arrived, but never two.
  std::array<std::vector<std::vector<std::byte>>, 2> arrived;
  std::uint32_t parity = 0;
};

struct Steps {
  Steps();
  ~Steps();

  Agreement agreement;
  Exchange exchange;

  std::unique_ptr<Objects> objects;
  StepConfig config;
  std::unique_ptr<DecisionScheme> scheme;
  std::vector<bool> told_above_memory;  // by PE
  std::uint64_t steps = 0;              // so far
  StepAt latest{};
  std::uint64_t points = 0;     // sync points of the present interval that gathered the objects
  std::uint64_t last_stop = 0;  // the sync point of the last step, with a period of points
  std::uint64_t left_out = 0;   // sync points since then that would have been steps
  double job_start = 0;
  double last_step = 0;
  double last_at_point = 0;  // time of the last step at a sync point
  lb::Gain gain;
  std::vector<double> busy_of_pe;
  Agreed agreed;  // the result of stop_agreeing()
};
extern PerRuntime<Steps> steps;

}  // namespace skein::balance
