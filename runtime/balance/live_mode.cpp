// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/live_mode.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "runtime/balance/lazy.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "skein/lb/grain.hpp"
#include "skein/lb/live_mode.hpp"

namespace skein::balance {
namespace {

/// What PE 0 tells all at the end of a step.
struct Told {
  bool is_to_be_lazy = false;
  double pace_s = 0;
};

struct Live {
  bool can_change = false;  // the same on all PEs, as what follows
  StepConfig lazy;          // as it would be
  Told told;
  bool told_pinned = false;

  lb::LiveMode model;  // on PE 0
  std::string changes;
};
PerRuntime<Live> live;

/// Null where the mode can change.
const char* why_it_stays(const StepConfig& config, bool has_release) {
  if (config.period.points == 0) return "a lazy job asks at every K-th sync point (--lb-period K)";
  if (config.cannot_move) return config.cannot_move;
  LazyObjects* const objects_when_lazy = objects().when_lazy();
  if (!has_release || !objects_when_lazy || !objects_when_lazy->can_begin_late())
    return "elements of native programs keep their PEs";
  if (net::world.pes < 2) return "there is one PE";
  if (!config.dump_file.empty()) return "--lb-dump writes the snapshots of one PE";
  if (config.memory_bytes > 0) return "with --lb-memory all PEs are taken to be needed";
  if (config.strategy && (config.strategy->info->begin || config.strategy->acts_at_every_point()))
    return "the strategy decides on all PEs together";
  return nullptr;
}

void tell_change(std::uint64_t point, const char* mode, const std::string& why) {
  if (net::world.pe != 0) return;
  const auto at = static_cast<unsigned long long>(point);
  live->changes += format(", from sync point %llu on %s", at, mode);
  SKEIN_LOG(verbose, "LB mode from sync point %llu on: %s: %s", at, mode, why.c_str());
}

}  // namespace

void start_live_mode(const StepConfig& config, void (*release)()) {
  const char* const why = why_it_stays(config, release != nullptr);
  if (net::world.pe == 0)
    SKEIN_LOG(verbose, "LB mode inline at first: nothing is known of this job; %s%s",
              why ? "and so it stays, since " : "its own steps may say lazy", why ? why : "");
  if (why) return;
  live->can_change = true;
  live->lazy = config;
  live->lazy.mode = {.kind = lb::Mode::Kind::lazy, .deciding_pes = 1, .reserved = true};
  allow_lazy(release);
}

bool leave_last_pe() {
  if (!live->can_change || !live->told.is_to_be_lazy || is_lazy()) return false;
  const bool leaves = net::world.pe == net::world.pes - 1;
  const bool may_leave = !leaves || objects().when_lazy()->all_may_leave();
  std::vector<double> keeps{may_leave ? -1.0 : net::world.pe};
  net::max_of_all(keeps);
  if (keeps[0] < 0) {
    reserve_instead(1);
    return true;
  }
  if (net::world.pe == 0 && !std::exchange(live->told_pinned, true))
    SKEIN_LOG(verbose, "LB mode stays inline while %s on PE %.0f cannot move or have ended", objects().noun(),
              keeps[0]);
  return false;
}

/// Nobody goes on before all have begun, so that no message comes to a PE that has not.
void go_on_lazily(std::uint64_t point) {
  begin_lazy(live->lazy, point, lb::LazyTrial(live->told.pace_s, point, live->lazy.period.points));
  net::barrier();
  const auto choice = live->model.choice(true);
  tell_change(point, lb::to_string(live->lazy.mode).c_str(), choice ? choice->why : std::string());
}

void go_on_inline(std::uint64_t point) {
  leave_lazy();
  reserve_instead(0);
  live->can_change = false;
  tell_change(point, "inline", "sync points came faster so");
}

void learn_from_step(const StepRecord& record, double whole_s) {
  if (net::world.pe == 0) {
    const std::vector<double>& took_s = record.interval.took_s;
    const auto& loads = record.plan.step.loads;
    live->model.add(
        static_cast<double>(took_s.size()),
        {.points = static_cast<double>(record.interval.points),
         .mean_s = std::accumulate(took_s.begin(), took_s.end(), 0.0) / static_cast<double>(took_s.size()),
         .decide_s = record.decide_s,
         .move_s = record.move_s,
         .before_percent = record.plan.step.before.imbalance_percent(),
         .length_s = record.interval.length_s,
         .fullest_s = std::ranges::max(took_s),
         .unmoved_s = std::ranges::max(record.interval.unmoved_s),
         .unbalanced_s = std::ranges::max(record.interval.unbalanced_s),
         .loads = lb::loads_of(loads.quantiles, loads.objects)},
        whole_s);
    live->told = {live->model.is_to_be_lazy(), live->model.pace_s()};
  }
  if (live->can_change) net::broadcast(&live->told, sizeof live->told, 0);
}

std::string mode_advice(const StepConfig& config) {
  const std::string was = "inline" + live->changes;
  // A lazy job asks at every K-th point.
  const auto choice = live->model.choice(config.period.points > 0);
  if (!choice) return was + "; in no step was anything computed and decided that one could learn from";
  return format("%s; the inline steps of this run say %s: next time --lb-mode %s", was.c_str(),
                choice->why.c_str(), choice->mode());
}

}  // namespace skein::balance
