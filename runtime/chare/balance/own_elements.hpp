// SPDX-License-Identifier: Apache-2.0
// LB steps of elements by a distributed strategy, or by a PE that decides alone. A PE numbers its own
// elements, behind those of the PEs before it; of other PEs it needs only their numbers of elements. Only
// that PE knows which element a number means: it sends the element, or the PE that gets it asks there. Homes
// are told where elements went, as when elements move by themselves, and others find them as usual: they ask
// the home, and are corrected when they were wrong.
#pragma once

#include <span>
#include <vector>

#include "runtime/balance/objects.hpp"

namespace skein::chare {

class OwnElements {
 public:
  /// Returns the elements that end_interval() has measured, with the edges of the interval, which it takes
  /// away. Collective. `pinned` gets numbers of elements that must stay, the first few of each PE.
  lb::LocalPe collect(std::vector<int>& pinned);
  /// Brings the elements with these numbers here, like balance::Objects::bring().
  balance::MoveTotals bring(std::span<const lb::ObjectIndex> arriving);
  /// Moves the elements that end_interval() has measured where the assignment of their numbers says.
  /// Collective.
  balance::MoveTotals send(const lb::Assignment& assignment);
  /// Moves the measured elements like send(), given only the PEs for this PE's elements, in their order.
  balance::MoveTotals send_own(std::span<const lb::PeIndex> pe_of);

 private:
  /// Numbers the elements. Collective.
  void number();
  std::size_t pe_of(lb::ObjectIndex number) const;

  std::vector<lb::ObjectIndex> first_;  // number of each PE's first element; one more, behind all
};

}  // namespace skein::chare
