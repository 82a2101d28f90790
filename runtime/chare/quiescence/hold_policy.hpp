// SPDX-License-Identifier: Apache-2.0
// When calls are held (held_calls.hpp): PE 0 decides by the rounds of quiescence.cpp.
//
// It holds the calls of arrays that do not synchronize when all elements that do have been at a sync point
// for a while and the job has not become quiet. Elements that call each other endlessly at a sync point keep
// it busy nevertheless: then the calls continue, and the next attempt is made much later.
#pragma once

#include <cstdint>
#include <utility>

namespace skein::chare {

class HoldPolicy {
 public:
  /// Returns the action after a round that found messages under way or calls to run. `all_at_sync`: all
  /// synchronizing elements are at a sync point; `others`: there are elements of arrays that do not
  /// synchronize.
  enum class Action { none, hold, release };
  Action after_busy_round(bool all_at_sync, bool others);

  /// Begins anew after a round that found the job quiet. Returns true if calls were held.
  bool after_quiet_round() { return std::exchange(*this, {}).holds(); }

 private:
  bool holds() const { return holding_since_ != 0; }

  /// Times in ticks.
  std::uint64_t all_at_sync_since_ = 0;  // 0: not all are
  std::uint64_t holding_since_ = 0;      // 0: none is held
  std::uint64_t given_up_at_ = 0;        // 0: not at this sync point
};

}  // namespace skein::chare
