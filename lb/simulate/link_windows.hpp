// SPDX-License-Identifier: Apache-2.0
// A link that messages share, by windows of time: each has room for as much as passes in it.
//
// Messages are told to links when they are sent, and reach them later, so not in the order of their coming. A
// link that was only "busy until" would waste what lies before a message that is held up elsewhere. So what
// is used of each window is kept, and a message takes what is left, from the window on in which it comes.
// What is beyond the windows that are kept is taken in the order of telling.
//
// In a window used_[w] <= width, and who takes work of it passes as early as what is used allows, as if all
// that had come at its beginning: times are right to one width.
#pragma once
#include <array>
#include <cstdint>

#include "skein/lb/simulate.hpp"

namespace skein::simulate {

/// One line of the cache.
class alignas(64) LinkWindows {
 public:
  static constexpr int count = 24;
  static constexpr Ns widest = 65535;

  struct Passage {
    Ns begin;  // of the first byte
    Ns end;    // of the last one
  };
  /// A message that comes at `at` takes `work` ns of the link. Nobody comes before `now`, in this call and
  /// those that follow. now <= at; 0 < width <= widest, the same in all calls.
  Passage take(Ns now, Ns at, Ns work, Ns width);

 private:
  void forget_before(Ns window, Ns width);

  Ns first_ = 0;   // window, of those that are kept
  Ns beyond_ = 0;  // until when the link is taken by what did not fit in
  std::array<std::uint16_t, count> used_{};
};

}  // namespace skein::simulate
