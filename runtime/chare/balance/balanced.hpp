// SPDX-License-Identifier: Apache-2.0
// A PE's state of its elements from one LB step to the next.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/balance/measured_elements.hpp"

namespace skein::chare {

struct Balanced {
  std::uint64_t interval = 1;          ///< number of the interval between LB steps that edges count in
  std::uint8_t gathering = 0;          ///< number of the gathering that this PE is in or before
  std::uint64_t parcels_received = 0;  ///< not yet awaited by a Departure

  // ---- in lazy jobs
  std::size_t synchronizing = 0;               ///< elements of arrays that synchronize
  std::uint64_t standing = 0;                  ///< elements at sync points but not stopped
  std::set<std::uint32_t> told_synchronizing;  ///< on PE 0: arrays that all PEs know of

  std::vector<MeasuredElement> measured;  ///< by the last end_interval()

  // ---- warned of once
  std::set<std::string> immovable;       ///< classes that cannot move
  std::set<const EntryInfo*> suspended;  ///< methods that keep elements where they are
  std::set<std::pair<std::type_index, std::size_t>>
      warned_of;  ///< members that do not move along: class, place
};
/// Hidden: accessed without the global offset table.
[[gnu::visibility("hidden")]] extern PerRuntime<Balanced> balanced;

}  // namespace skein::chare
