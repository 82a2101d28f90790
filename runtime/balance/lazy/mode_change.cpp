// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/lazy/late_scheme.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "runtime/balance/lazy/lazy_pe.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/grain.hpp"
#include "skein/lb/live_mode.hpp"

namespace skein::balance {
namespace {

/// Returns why the mode cannot change, or null.
const char* why_it_stays(const StepConfig& config, bool has_release) {
  if (config.period.points == 0) return "a lazy job asks at every K-th sync point (--lb-period K)";
  if (config.cannot_move) return config.cannot_move;
  if (!has_release || !objects().when_lazy() || !objects().when_lazy()->can_begin_late())
    return "elements of native programs keep their PEs";
  if (net::world.pes < 2) return "there is one PE";
  if (!config.dump_file.empty()) return "--lb-dump writes the snapshots of one PE";
  if (config.memory_bytes > 0) return "with --lb-memory all PEs are taken to be needed";
  if (config.strategy && (config.strategy->info->begin || config.strategy->acts_at_every_point()))
    return "the strategy decides on all PEs together";
  return nullptr;
}

class ChangingScheme final : public DecisionScheme {
 public:
  ChangingScheme(const StepConfig& config, bool can_change, std::unique_ptr<DecisionScheme> inline_scheme)
      : can_change_(can_change), lazy_(config), scheme_(std::move(inline_scheme)) {
    lazy_.mode = {.kind = lb::Mode::Kind::lazy, .deciding_pes = 1, .reserved = true};
  }

  std::optional<std::uint64_t> agreed_stop() const override { return scheme_->agreed_stop(); }
  void gather(const Interval& interval) override {
    leaves_ = leave_last_pe();
    scheme_->gather(interval);
  }
  void decide(const Interval& interval, Plan& plan) override { scheme_->decide(interval, plan); }
  void tell(Plan& plan) override {
    scheme_->tell(plan);
    plan.step.moves |= leaves_;
  }
  MoveTotals carry_out(const Plan& plan) override { return scheme_->carry_out(plan); }
  void learn(const Plan& plan, const Interval& interval, const StepTimes& times) override {
    scheme_->learn(plan, interval, times);
  }

  void end_step(const StepRecord& record) override {
    scheme_->end_step(record);
    if (record.plan.late) {
      if (record.plan.late->ends_lazy) go_on_inline(record.stop);
    } else if (leaves_) {
      go_on_lazily(record.stop);
    } else {
      learn_from(record);
    }
    last_step_ = seconds();
  }

  void end_job(AfterJob after) override { scheme_->end_job(after); }

  std::string advice() const override {
    const std::string was = "inline" + changes_;
    // A lazy job may stop only at every K-th point.
    const auto choice = model_.choice(lazy_.period.points > 0);
    if (!choice) return was + "; no step computed and decided enough to judge the modes";
    return format("%s; the inline steps of this run say %s: next time --lb-mode %s", was.c_str(),
                  choice->why.c_str(), choice->mode());
  }

 private:
  /// Reserves the last PE, in a step, before the objects are gathered, if the job is to be lazy and all
  /// objects may leave that PE. Returns true if it has: the objects are to be moved then. Collective.
  bool leave_last_pe() {
    if (!can_change_ || !told_.is_to_be_lazy || is_lazy()) return false;
    const bool leaves = net::world.pe == net::world.pes - 1;
    const bool may_leave = !leaves || objects().when_lazy()->all_may_leave();
    std::vector<double> keeps{may_leave ? -1.0 : net::world.pe};
    net::max_of_all(keeps);
    if (keeps[0] < 0) {
      reserve_instead(1);
      return true;
    }
    if (net::world.pe == 0 && !std::exchange(told_pinned_, true))
      SKEIN_LOG(verbose, "LB mode stays inline while %s on PE %.0f cannot move or have ended",
                objects().noun(), keeps[0]);
    return false;
  }

  /// Makes the job lazy. Nobody goes on before all have begun, so that no message comes to a PE that has not.
  void go_on_lazily(std::uint64_t point) {
    begin_lazy(lazy_, point, lb::LazyTrial(told_.pace_s, point, lazy_.period.points));
    inline_scheme_ = std::exchange(scheme_, late_scheme());
    net::barrier();
    const auto choice = model_.choice(true);
    tell_change(point, lb::to_string(lazy_.mode).c_str(), choice ? choice->why : std::string());
  }

  void go_on_inline(std::uint64_t point) {
    leave_lazy();
    scheme_ = std::move(inline_scheme_);
    reserve_instead(0);
    can_change_ = false;
    tell_change(point, "inline", "sync points came faster in that mode");
  }

  void tell_change(std::uint64_t point, const char* mode, const std::string& why) {
    if (net::world.pe != 0) return;
    const auto at = static_cast<unsigned long long>(point);
    changes_ += format(", from sync point %llu on %s", at, mode);
    SKEIN_LOG(verbose, "LB mode from sync point %llu on: %s: %s", at, mode, why.c_str());
  }

  /// Learns from a step; PE 0 decides about the mode. Collective, where the mode can change.
  void learn_from(const StepRecord& record) {
    if (net::world.pe == 0) {
      const std::vector<double>& took_s = record.interval.took_s;
      const auto& loads = record.plan.step.loads;
      const auto pes = static_cast<double>(took_s.size());
      model_.add(pes,
                 {.points = static_cast<double>(record.interval.points),
                  .mean_s = std::accumulate(took_s.begin(), took_s.end(), 0.0) / pes,
                  .decide_s = record.decide_s,
                  .move_s = record.move_s,
                  .before_percent = record.plan.step.before.imbalance_percent(),
                  .length_s = record.interval.length_s,
                  .fullest_s = std::ranges::max(took_s),
                  .unmoved_s = std::ranges::max(record.interval.unmoved_s),
                  .unbalanced_s = std::ranges::max(record.interval.unbalanced_s),
                  .loads = lb::loads_of(loads.quantiles, loads.objects)},
                 seconds() - last_step_);
      told_ = {model_.is_to_be_lazy(), model_.pace_s()};
    }
    if (can_change_) net::broadcast(&told_, sizeof told_, 0);
  }

  /// PE 0's verdict, broadcast to all PEs at the end of a step.
  struct ModeVerdict {
    bool is_to_be_lazy = false;
    double pace_s = 0;
  };

  bool can_change_;  // the same on all PEs, like the members below
  StepConfig lazy_;  // configuration of the job when it is lazy
  ModeVerdict told_;
  bool told_pinned_ = false;
  bool leaves_ = false;  // the last PE is left in the present step
  std::unique_ptr<DecisionScheme> scheme_,
      inline_scheme_;  // the scheme in force; the inline one while another is
  double last_step_ = seconds();

  lb::LiveMode model_;  // on PE 0
  std::string changes_;
};

}  // namespace

void learn_mode(const StepConfig& config, void (*release)()) {
  const char* const why = why_it_stays(config, release != nullptr);
  if (net::world.pe == 0)
    SKEIN_LOG(verbose, "LB mode inline at first: nothing is known of this job; %s%s",
              why ? "and so it stays, since " : "its own steps may change it to lazy", why ? why : "");
  if (!why) allow_lazy(release);
  use_scheme(std::make_unique<ChangingScheme>(config, !why, use_scheme(nullptr)));
}

}  // namespace skein::balance
