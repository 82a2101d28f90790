// SPDX-License-Identifier: Apache-2.0
// Work on a thread beside the PE's own, which goes on meanwhile. On it no rank runs (current_rank() is null),
// and blocks come from the C library. Signals go to the PE's own thread. The PE's thread changes the working
// directory with each rank: relative paths mean nothing here.
#pragma once

#include <signal.h>

#include <chrono>
#include <functional>
#include <future>

namespace skein {

/// Makes threads created in its scope take no signal.
class NoSignals {
 public:
  NoSignals();
  ~NoSignals();
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_;
};

/// Lowers the priority of the calling thread to that of nice(1), and lets it run on all cores that its
/// process may be given. Ignores refusals of the system.
void give_way(int nice);

/// Calls `work` on a thread of lower priority, as give_way(nice) sets it; get() rethrows its exception.
/// Destroying the future waits for the end. Throws skein::Error if the system has no thread to give.
[[nodiscard]] std::future<void> in_background(int nice, std::function<void()> work);
inline bool is_done(const std::future<void>& work) {
  return work.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace skein
