// SPDX-License-Identifier: Apache-2.0
// When calls are held (held_calls.hpp): PE 0 decides it by the rounds of quiescence.cpp.
//
// It holds those of the arrays that do not synchronize when all elements that do have been at a sync point
// for a while and the job has not become quiet. Elements that call each other without end at a sync point
// keep it from becoming quiet all the same: then it goes on, and another attempt is made much later.
#pragma once

#include <cstdint>
#include <utility>

namespace skein::chare {

class HoldPolicy {
 public:
  /// What a round gives rise to that found messages under way or calls to run. `all_at_sync`: of the elements
  /// that synchronize; `others`: there are some of arrays that do not.
  enum class Action { none, hold, release };
  Action after_busy_round(bool all_at_sync, bool others);

  /// After a round that found the job quiet: the next sync point begins anew. Whether calls were held.
  bool after_quiet_round() { return std::exchange(*this, {}).holds(); }

 private:
  bool holds() const { return holding_since_ != 0; }

  /// In ticks.
  std::uint64_t all_at_sync_since_ = 0;  // 0: they are not
  std::uint64_t holding_since_ = 0;      // 0: none is held
  std::uint64_t given_up_at_ = 0;        // 0: not at this sync point
};

}  // namespace skein::chare
