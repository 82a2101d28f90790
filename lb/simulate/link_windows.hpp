// SPDX-License-Identifier: Apache-2.0
// A link that messages share, in windows of time: each window has a limited capacity.
//
// A link learns of messages when they are sent; they reach it later, and in another order. A link that was
// only "busy until" would waste the time before a message that is held up elsewhere. So the used part of each
// window is recorded, and a message takes free time from the window on in which it arrives. Time beyond the
// recorded windows is taken in the order of calls.
//
// In a window used_[w] <= width, and a message passes as early as the used part allows, as if all earlier
// messages had arrived at the beginning of the window: times are right to one width.
#pragma once
#include <array>
#include <cstdint>

#include "skein/lb/simulate.hpp"

namespace skein::simulate {

/// Takes one cache line.
class alignas(64) LinkWindows {
 public:
  static constexpr int count = 24;
  static constexpr Ns widest = 65535;

  struct Passage {
    Ns begin;  // of the first byte
    Ns end;    // of the last one
  };
  /// Takes `work` ns of the link for a message that arrives at `at`. No message arrives before `now`, in this
  /// call and later ones. now <= at; 0 < width <= widest, the same in all calls.
  Passage take(Ns now, Ns at, Ns work, Ns width);

 private:
  void forget_before(Ns window, Ns width);

  Ns first_ = 0;   // the first recorded window
  Ns beyond_ = 0;  // the end of the time taken beyond the windows
  std::array<std::uint16_t, count> used_{};
};

}  // namespace skein::simulate
