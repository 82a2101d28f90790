// SPDX-License-Identifier: Apache-2.0
// What moves with an element besides its index and the user's members.
#pragma once

#include "skein/chare/element.hpp"

namespace skein::chare {

struct Travelling {
  std::uint32_t moves = 0, sync_points = 0, broadcasts = 0, contributions = 0;
  std::uint32_t at_sync = 0, pinned = 0, unfinished = 0, unused = 0;
  std::uint64_t busy_ticks = 0;
  std::uint64_t turns = 0, control = 0;  ///< bytes that follow

  Travelling() = default;
  explicit Travelling(const Element& e)
      : moves(e.moves),
        sync_points(e.sync_points),
        broadcasts(e.broadcasts),
        contributions(e.contributions),
        at_sync(e.at_sync),
        pinned(e.pinned),
        unfinished(e.unfinished),
        busy_ticks(e.busy_ticks) {}
  void give(Element& e) const {
    e.moves = moves;
    e.sync_points = sync_points;
    e.broadcasts = broadcasts;
    e.contributions = contributions;
    e.at_sync = at_sync != 0;
    e.pinned = pinned != 0;
    e.unfinished = unfinished != 0;
    e.busy_ticks = busy_ticks;
  }
};

}  // namespace skein::chare
