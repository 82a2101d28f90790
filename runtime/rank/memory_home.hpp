// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace skein {

/// The memory domains of a rank's pages, on machines with several (of the rank's node); move/follow_rule.hpp
/// says what follows from them. Part of the rank's control block, so it moves along.
///
///   domain    where its pages are; -1: not known
///   away_in   the other domain in which it computes; -1: none
struct MemoryHome {
  std::int32_t domain = -1, away_in = -1;
  std::uint64_t away_since = 0;  ///< Meter::busy_ticks when away_in was set

  /// Notes that the rank leaves a PE of this domain, where its pages are if nothing else is known.
  void leave(int from) {
    if (domain < 0) domain = from;
  }
  /// Notes that the rank is on a PE of domain `in`, with pages where they were (`carried`) or new ones here.
  void arrive(int in, bool carried, std::uint64_t busy_ticks) {
    if (!carried) domain = in;
    if (in < 0 || domain < 0 || in == domain) {
      away_in = -1;
    } else if (away_in != in) {
      away_in = in;
      away_since = busy_ticks;
    }
  }
  bool is_away() const { return away_in >= 0; }
  /// Notes that the rank's pages have followed it.
  void settle() {
    domain = away_in;
    away_in = -1;
  }
};

}  // namespace skein
