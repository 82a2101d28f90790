// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/lazy/late_scheme.hpp"

#include <utility>
#include <vector>

#include "runtime/balance/lazy/decider.hpp"
#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/balance/team.hpp"
#include "runtime/net/pe_collectives.hpp"

namespace skein::balance {
namespace {

std::vector<std::byte> share_at_stop() { return objects().when_lazy()->share_at(pace->member.agreed_stop()); }

/// The scheme of a lazy job where one PE has decided.
class LateScheme : public DecisionScheme {
 public:
  std::optional<std::uint64_t> agreed_stop() const override {
    if (!is_lazy()) return std::nullopt;  // the job is over
    const lb::lazy::Point stop = pace->member.agreed_stop();
    return stop == lb::lazy::kNever ? 0 : stop;
  }
  void gather(const Interval&) override {
    const bool all = objects().all_need_snapshot();
    shares_ = net::gather_blocks(share_at_stop(), all ? net::kOnAllPes : deciding_pe());
    if (all && net::world.pe != deciding_pe()) (void)objects().snapshot_of(shares_);
  }
  void decide(const Interval&, Plan& plan) override {
    if (net::world.pe == deciding_pe()) plan_late(std::exchange(shares_, {}), plan);
  }
  void tell(Plan& plan) override { tell_plan(plan); }
  void learn(const Plan&, const Interval&, const StepTimes& times) override { learn_late(times.moving_s); }
  void end_step(const StepRecord&) override { note_applied(); }
  void end_job(AfterJob after) override { end_lazy(after); }

 private:
  net::PeBlocks shares_;
};

/// The scheme of a lazy job where several have decided together.
class LateTeamScheme final : public LateScheme {
 public:
  void gather(const Interval&) override { shares_ = send_shares(share_at_stop()); }
  void decide(const Interval&, Plan& plan) override {
    if (own_team()) plan_late_together(shares_, plan);
  }
  void tell(Plan& plan) override { send_places(std::exchange(shares_, {}), plan); }
  MoveTotals carry_out(const Plan& plan) override { return move_own_of(plan); }

 private:
  TeamShares shares_;
};

}  // namespace

std::unique_ptr<DecisionScheme> late_scheme() {
  if (has_team()) return std::make_unique<LateTeamScheme>();
  return std::make_unique<LateScheme>();
}

void start_lazily(const StepConfig& config, void (*release)()) {
  allow_lazy(release);
  begin_lazy(config);
  use_scheme(late_scheme());
}

}  // namespace skein::balance
