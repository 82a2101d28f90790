// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace skein {

/// Where the pages of a rank are, on machines whose memory is in several domains; what follows from it says
/// move/follow_rule.hpp. Domains are those of the rank's node. Part of its control block, so it moves along.
///
///   domain    where its pages are; -1: not known
///   away_in   the other domain in which it computes; -1: none
struct MemoryHome {
  std::int32_t domain = -1, away_in = -1;
  std::uint64_t away_since = 0;  ///< Meter::busy_ticks when that began

  /// It leaves a PE of this domain, where it was all the time if nothing else is known.
  void leave(int from) {
    if (domain < 0) domain = from;
  }
  /// It is on a PE of that domain now, with pages where they were (`carried`) or new ones there.
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
  /// Its pages have followed.
  void settle() {
    domain = away_in;
    away_in = -1;
  }
};

}  // namespace skein
