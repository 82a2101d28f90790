// SPDX-License-Identifier: Apache-2.0
// Decides when the pages of a rank follow it to another memory domain (balance/memory_domains.hpp). A slot
// that is handed over stays where its pages were written first, and its rank computes somewhat slower from
// there on; moving the pages takes time at once.
//
// Nobody knows how long a rank will stay; it is assumed to stay as long again as it has stayed. So its pages
// follow once it has lost as much time by them as moving them takes. Whatever the rank does then, it loses at
// most twice what it would have lost if its stay had been known: A. Karlin, M. Manasse, L. Rudolph, D.
// Sleator, "Competitive snoopy caching", Algorithmica 3 (1988).
#pragma once

#include <cstdint>

#include "runtime/balance/memory_domains.hpp"

namespace skein::move {

/// The costs of staying away and of moving pages.
struct FollowCosts {
  double byte_s = balance::kUsualFollowByteS;  ///< to move a byte: the usual value first, then as measured
  /// The part of its time that a rank loses while its pages are in another domain. Machines report twice the
  /// latency, and programs wait for memory for a part of their time.
  double lost = 0.1;

  /// Learns that `bytes` were moved in `seconds`: byte_s becomes the mean of its old value and the new
  /// measurement.
  void learn(std::uint64_t bytes, double seconds) {
    if (bytes > 0) byte_s = (byte_s + seconds / static_cast<double>(bytes)) / 2;
  }
};

/// Returns true if the pages should follow a rank that has computed for `stayed_s` seconds away from them.
inline bool pages_follow(double stayed_s, std::uint64_t bytes, const FollowCosts& costs) {
  return stayed_s * costs.lost >= static_cast<double>(bytes) * costs.byte_s;
}

}  // namespace skein::move
