// SPDX-License-Identifier: Apache-2.0
// Makes the LB steps of a simulated job: measures the interval, lets the balancer decide, plays the moves,
// and lets the objects go on.
#pragma once
#include <functional>
#include <optional>
#include <utility>

#include "lb/simulate/balancer.hpp"
#include "lb/simulate/job_state.hpp"
#include "lb/simulate/lazy_protocol.hpp"
#include "lb/simulate/traffic.hpp"

namespace skein::simulate {

class LbSteps final : public Stops {
 public:
  LbSteps(const trace::Trace& trace, const Platform& platform, const Policy& policy,
          const lb::Assignment& placed)
      : balancer_(platform, policy, placed), placed_(placed) {
    if (!balancer_.balances())
      passed_.emplace(policy.period, placed.size(), balancer_.computing_pes());
    else if (policy.mode.is_lazy())
      lazy_.emplace(trace, policy, balancer_, traffic());
    else
      next_step_ = balancer_.next_step(0);
  }
  LbSteps(const LbSteps&) = delete;

  At comes_to(JobState& job, Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t n) override {
    if (lazy_) return lazy_->comes_to(job, machine, pe, object, n);
    return balancer_.gathers(n - 1) ? At::stops : At::passes;
  }
  std::uint64_t next_step() const override { return next_step_; }
  void ends(Machine& machine, PeIndex pe, ObjectIndex object) override {
    if (lazy_) lazy_->ends(machine, pe, object);
  }
  void take(Machine& machine, PeIndex pe, MessageIndex message) override {
    lazy_->take(machine, pe, message);
  }
  void wake(Machine& machine) override { lazy_->wake(machine); }
  bool has_task() const override { return lazy_.has_value(); }
  bool is_lazy() const override { return lazy_.has_value(); }
  bool passes_at_once(PeIndex pe, std::uint64_t n) override { return lazy_->passes_at_once(pe, n); }
  void release_by(std::function<void(PeIndex, ObjectIndex)> release) override {
    lazy_->release_by(std::move(release));
  }
  void pass_unanswered(Machine& machine) override { lazy_->pass_unanswered(machine); }

  /// Returns the number of PEs that have objects: the first ones.
  std::size_t computing_pes() const { return balancer_.computing_pes(); }
  /// Returns the place to note messages of objects, or null.
  Traffic* traffic() { return balancer_.wants_traffic() ? &traffic_ : nullptr; }

  /// Returns the place to note passed sync points, or null.
  PassedPoints* passed() { return passed_ ? &*passed_ : nullptr; }

  /// Makes an LB step once all PEs have come. Afterwards they go on, and the timeline has the step and the
  /// interval before it.
  void step(JobState& job, Player& player, Network& network, Timeline& timeline);
  /// Adds the interval from the last step to the end of the job.
  void close(JobState& job, Player& player, Timeline& timeline);

 private:
  void end_interval(JobState& job, Timeline& timeline);
  /// Corrects the placements so far for elements that were made on other PEs than planned, as if they had
  /// been there from the start.
  void note_made(const JobState& job, Timeline& timeline);
  StepOutcome decide(JobState& job, Ns at, std::span<const Ns> waited);
  StepOutcome recorded_step(const JobState& job);

  Balancer balancer_;
  lb::Assignment placed_;     // PEs at first
  std::size_t recorded_ = 0;  // recorded steps that were made, with Policy::steps_as_recorded
  Traffic traffic_;
  std::optional<PassedPoints> passed_;  // if there are no steps
  std::optional<LazyProtocol> lazy_;    // in lazy mode
  std::uint64_t next_step_ = no_step;   // not used in lazy mode
  std::uint64_t last_stop_ = 0;         // in lazy mode: the sync point of the last step
};

}  // namespace skein::simulate
