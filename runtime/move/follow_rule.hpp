// SPDX-License-Identifier: Apache-2.0
// When the pages of a rank follow it to another memory domain (balance/memory_domains.hpp). A slot that is
// handed over stays where its pages were written first, and its rank computes somewhat slower from there on;
// to move the pages takes time at once.
//
// How long a rank will stay nobody knows; it is taken to stay for as long again as it has stayed. So its
// pages follow once it has lost by them what moving them takes. Whatever it does then, it loses no more than
// twice what it would have lost if that had been known: A. Karlin, M. Manasse, L. Rudolph, D. Sleator,
// "Competitive snoopy caching", Algorithmica 3 (1988).
#pragma once

#include <cstdint>

#include "runtime/balance/memory_domains.hpp"

namespace skein::move {

/// What is lost and what it takes.
struct FollowCosts {
  double byte_s = balance::kUsualFollowByteS;  ///< to move a byte: as is usual, then as it was seen
  /// The part of its time that a rank loses while its pages are in another domain. Machines tell of twice the
  /// latency, and programs wait for memory for a part of their time.
  double lost = 0.1;

  /// So many bytes were moved in so many seconds: what the next ones are taken to need is nearer to that.
  void learn(std::uint64_t bytes, double seconds) {
    if (bytes > 0) byte_s = (byte_s + seconds / static_cast<double>(bytes)) / 2;
  }
};

/// Whether the pages follow of a rank that has computed for `stayed_s` seconds away from them.
inline bool pages_follow(double stayed_s, std::uint64_t bytes, const FollowCosts& costs) {
  return stayed_s * costs.lost >= static_cast<double>(bytes) * costs.byte_s;
}

}  // namespace skein::move
