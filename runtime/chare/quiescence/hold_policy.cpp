// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/quiescence/hold_policy.hpp"

#include "runtime/base/clock.hpp"
#include "runtime/base/log.hpp"

namespace skein::chare {
namespace {

/// All synchronizing elements wait so long before others are held: mostly the job is quiet by then.
constexpr double kPatienceNs = 5e6;
/// The longest time for which others are held.
constexpr double kLongestHoldNs = 1e8;
/// The time from then until they may be held again.
constexpr double kTimeBetweenHoldsNs = 10 * kLongestHoldNs;

}  // namespace

HoldPolicy::Action HoldPolicy::after_busy_round(bool all_at_sync, bool others) {
  if (!all_at_sync) {
    return std::exchange(*this, {}).holds() ? Action::release : Action::none;
  }
  if (all_at_sync_since_ == 0) all_at_sync_since_ = ticks();
  if (holds()) {
    if (ns_since(holding_since_) < kLongestHoldNs) return Action::none;
    if (given_up_at_ == 0)
      SKEIN_WARN("no LB step yet: elements that are at a sync point call each other without end");
    given_up_at_ = ticks();
    holding_since_ = 0;
    return Action::release;
  }
  if (!others || ns_since(all_at_sync_since_) < kPatienceNs) return Action::none;
  if (given_up_at_ != 0 && ns_since(given_up_at_) < kTimeBetweenHoldsNs) return Action::none;
  holding_since_ = ticks();
  return Action::hold;
}

}  // namespace skein::chare
