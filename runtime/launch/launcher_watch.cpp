// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/launcher_watch.hpp"

#include <algorithm>

#include "runtime/base/clock.hpp"
#include "runtime/launch/process.hpp"

namespace skein::launch {
namespace {

/// Time to end: Open MPI's launcher takes up to 3 seconds. Launchers of several machines have more to do.
constexpr double kEndHereS = 4, kEndElsewhereS = 30;

}  // namespace

void LauncherWatch::reported() {
  ++reported_;
  if (!is_to_end_) until_ = seconds() + start_s_;
}

void LauncherWatch::gone(bool lost) {
  if (lost || expected_ > 0) give_time_to_end();
}

void LauncherWatch::give_time_to_end() {
  if (!is_to_end_) until_ = seconds() + (expected_ > 0 ? kEndHereS : kEndElsewhereS);
  is_to_end_ = true;
}

void LauncherWatch::slept() {
  if (until_ > 0) until_ = std::max(until_, seconds() + kEndHereS);
}

bool LauncherWatch::waits() const { return is_to_end_ || is_starting(); }

/// Gives a launcher time: before the first report it may prepare, or wait for its turn, as long as it likes;
/// but not once it had processes that have all ended.
bool LauncherWatch::is_in_vain(pid_t launcher) {
  if (is_starting() && !is_to_end_) {
    const bool lives = has_living_descendant(launcher);
    if (lives != lived_) until_ = seconds() + start_s_;
    lived_ = lives;
    if (lives && reported_ == 0) return false;
  }
  return waits() && until_ > 0 && seconds() >= until_;
}

}  // namespace skein::launch
