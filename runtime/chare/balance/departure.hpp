// SPDX-License-Identifier: Apache-2.0
// Elements that leave a PE in an LB step. Families for one PE go in parcels: many small ones in one message,
// and the first are on their way while others are packed.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/balance/objects.hpp"
#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// The elements that leave this PE in one LB step; every PE has one such object at the same time.
class Departure {
 public:
  /// Adds the bytes and objects that move to `totals`. `tell`: who hears of each element's arrival. Nobody,
  /// where every PE knows of all moves; else the home, which others ask.
  Departure(balance::MoveTotals& totals, ArrayBase::Tell tell);

  /// Takes the leader's family from this PE.
  void add(Element& leader, std::size_t to_pe);
  /// Adds a family that is packed already, without blocks.
  void add_packed(Bytes family, std::size_t to_pe);
  /// Sends the rest, and waits until all parcels for this PE have arrived. Collective; polls.
  void finish();

 private:
  struct Parcel {
    std::vector<std::byte> bytes;
    pup::Blocks blocks;
  };
  void send_off(std::size_t pe);

  balance::MoveTotals& totals_;
  ArrayBase::Tell tell_;
  std::vector<Parcel> parcels_;      ///< by PE
  std::vector<std::uint64_t> sent_;  ///< parcels to each PE
};

}  // namespace skein::chare
