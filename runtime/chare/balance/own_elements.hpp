// SPDX-License-Identifier: Apache-2.0
// LB steps of elements by a distributed strategy, or by a PE that decides alone. A PE numbers its own
// elements, behind those of the PEs before it; what it needs of other PEs is how many they have. Which
// element a number means only its PE knows: that one sends it, or whoever is to get it asks there. Homes are
// told where elements went, as when they move by themselves, and others find them as ever: by asking the
// home, and by being told when they were wrong.
#pragma once

#include <span>
#include <vector>

#include "runtime/balance/objects.hpp"

namespace skein::chare {

class OwnElements {
 public:
  /// The elements that end_interval() has measured, with the edges of the interval, which it takes away.
  /// Collective. `pinned` gets numbers of elements that must stay, the first few of each PE.
  lb::LocalPe collect(std::vector<int>& pinned);
  /// As balance::Objects::bring(), of these numbers.
  balance::MoveTotals bring(std::span<const lb::ObjectIndex> arriving);
  /// Puts the elements that end_interval() has measured where the assignment of these numbers says.
  /// Collective.
  balance::MoveTotals send(const lb::Assignment& assignment);
  /// Does what send() does, from the places of this PE's elements alone, in their order.
  balance::MoveTotals send_own(std::span<const lb::PeIndex> pe_of);

 private:
  /// Collective.
  void number();
  std::size_t pe_of(lb::ObjectIndex number) const;

  std::vector<lb::ObjectIndex> first_;  // number of each PE's first element; one more, behind all
};

}  // namespace skein::chare
