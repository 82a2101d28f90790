// SPDX-License-Identifier: Apache-2.0
// LB steps without sync points: the program asks for one by start_lb(), or the period is in seconds and there
// are elements that may move at any time. PE 0 knows of them.
//
// From the request on all PEs put the calls of all arrays aside (held_calls.hpp), so that the job becomes
// quiet. Then there is a step, and the calls continue. Only elements of classes that move at any time may
// move in it: the others have not all come to one sync point.
#pragma once

#include <cstdint>

#include "runtime/balance/step_config.hpp"

namespace skein::chare {

class CalledSteps {
 public:
  void configure(const balance::StepConfig& config);

  /// Asks for a step. Returns true if calls are to be put aside now: there are LB steps, and none is under
  /// way.
  bool ask();
  /// Asks for a step if the period is over. Returns true if calls are to be put aside now. `movable`: there
  /// are arrays whose elements may move at any time.
  bool ask_by_period(bool movable);
  /// Returns true while calls are put aside until the job is quiet.
  bool is_asked() const { return state_ == State::asked; }

  /// Notes that any LB step begins, by call or at a sync point.
  void begin_step() { state_ = State::under_way; }
  void end_step();

 private:
  enum class State { none, asked, under_way };
  State state_ = State::none;
  bool has_steps_ = false, is_lazy_ = false;
  double period_s_ = 0;          // 0: only when asked
  std::uint64_t last_step_ = 0;  // ticks
};

}  // namespace skein::chare
