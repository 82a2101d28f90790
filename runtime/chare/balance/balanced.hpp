// SPDX-License-Identifier: Apache-2.0
// What a PE keeps of its elements from one LB step to the next.
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
  std::uint64_t interval = 1;          ///< between LB steps: edges count in it
  std::uint8_t gathering = 0;          ///< number of the one that this PE has not gone on from
  std::uint64_t parcels_received = 0;  ///< that no Departure has waited for

  // ---- in lazy jobs
  std::size_t synchronizing = 0;               ///< elements of arrays that do
  std::uint64_t standing = 0;                  ///< elements at sync points that are not stopped there
  std::set<std::uint32_t> told_synchronizing;  ///< on PE 0: arrays that all have heard of

  std::vector<MeasuredElement> measured;  ///< by the last end_interval()

  // ---- told once
  std::set<std::string> immovable;       ///< classes that cannot move
  std::set<const EntryInfo*> suspended;  ///< methods that keep elements where they are
  std::set<std::pair<std::type_index, std::size_t>>
      warned_of;  ///< members that do not move along: class, place
};
/// Hidden: no indirection by a table of addresses.
[[gnu::visibility("hidden")]] extern PerRuntime<Balanced> balanced;

}  // namespace skein::chare
