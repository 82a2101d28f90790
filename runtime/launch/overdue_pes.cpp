// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/overdue_pes.hpp"

#include <signal.h>

#include <algorithm>
#include <utility>

#include "runtime/base/clock.hpp"
#include "runtime/launch/process.hpp"

namespace skein::launch {
namespace {

constexpr double kLeastLookMs = 50, kMostLookMs = 5000, kLooks = 8;  // looks until a stopped PE is killed

}  // namespace

OverduePes::OverduePes(const GoingOn& going_on)
    : going_on_(going_on),
      look_ms_(static_cast<int>(std::clamp(going_on.stopped_s * 1e3 / kLooks, kLeastLookMs, kMostLookMs))) {}

void OverduePes::is_to_leave(const LinkedPe& pe) {
  double& leaves_by = times_[pe.process].leaves_by;
  if (leaves_by > 0 || !going_on_.leaves) return;
  leaves_by = seconds() + going_on_.grace_s;
  any_leaves_ = true;
  going_on_.leaves(pe.number);
}

void OverduePes::look(const PeLinks& links) {
  if (going_on_.pes == 0) return;
  const double passed = std::min(seconds() - std::exchange(looked_at_, seconds()), 2e-3 * look_ms_);
  for (const auto& [descriptor, pe] : links.pes()) {
    Times& times = times_[pe.process];
    if (times.leaves_by > 0 && seconds() >= times.leaves_by) kill(pe.process, SIGKILL);
    const bool was_stopped = std::exchange(times.is_stopped, is_stopped(pe.process));
    times.stopped_s = was_stopped && times.is_stopped ? times.stopped_s + passed : 0;
    if (times.stopped_s > going_on_.stopped_s) kill(pe.process, SIGKILL);
  }
}

double OverduePes::forget(const LinkedPe& pe) {
  const double stopped_s = times_[pe.process].stopped_s;
  times_.erase(pe.process);
  return stopped_s > going_on_.stopped_s ? stopped_s : 0;
}

}  // namespace skein::launch
