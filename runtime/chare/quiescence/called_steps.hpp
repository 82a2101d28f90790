// SPDX-License-Identifier: Apache-2.0
// LB steps that no sync point gives rise to: the program asks for one by start_lb(), or the period is one of
// seconds and there are elements that may move at any time. PE 0 knows of them.
//
// From the asking on the calls of all arrays are put aside on all PEs (held_calls.hpp), so that the job
// becomes quiet. Then there is a step, and what was put aside goes on. Only elements of classes that move at
// any time may move in it: those that come to sync points have not all come to one.
#pragma once

#include <cstdint>

#include "runtime/balance/step_config.hpp"

namespace skein::chare {

class CalledSteps {
 public:
  void configure(const balance::StepConfig& config);

  /// Whether calls are to be put aside now: there are steps, and none is under way.
  bool ask();
  /// Whether the period puts calls aside now. `movable`: there are arrays whose elements may move at any
  /// time.
  bool ask_by_period(bool movable);
  /// Calls are put aside until the job is quiet.
  bool is_asked() const { return state_ == State::asked; }

  /// Any LB step begins, by call or at a sync point.
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
