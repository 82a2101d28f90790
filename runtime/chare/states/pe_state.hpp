// SPDX-License-Identifier: Apache-2.0
// The part of a state of the job that comes from this PE: its elements, packed as when they move, and on PE 0
// its own data of arrays, reductions, broadcasts and insertions. A state is written at an LB step at a sync
// point, where nothing is under way. Elements come back on any number of PEs, where their maps put them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// Returns what keeps this PE from having a state: "a timer is set"; empty if nothing does.
std::string obstacle_to_state();
/// Packs all of this PE, which continues as it was.
std::vector<std::byte> packed_state();
/// The number of this PE's elements, and the most sync points that one has passed.
struct Passed {
  std::uint64_t elements = 0, sync_points = 0;
};
Passed elements_of_state();

/// Restores the job behind the sync point of a state. `of_pe_0`: PE 0's packed part; `states`: of the PEs
/// whose elements this PE passes on, each PE's once. `begin`, the program's first function, runs on PE 0; its
/// calls have no effect. Collective, before there are arrays.
void come_back(Bytes of_pe_0, std::span<const std::vector<std::byte>> states, void (*begin)());

}  // namespace skein::chare
