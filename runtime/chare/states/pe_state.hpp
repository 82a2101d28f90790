// SPDX-License-Identifier: Apache-2.0
// What a state of the job has of this PE: its elements, packed as they are when they move, and on PE 0 what
// it alone knows of arrays, reductions, broadcasts and insertions. A state is written at an LB step at a sync
// point, where nothing is under way. Elements come back on as many PEs as there are, where their maps say.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// What of this PE no state can hold, or that waits to be called: "a timer is set"; empty if nothing does.
std::string obstacle_to_state();
/// All of this PE, which goes on as it was.
std::vector<std::byte> packed_state();
/// Elements of this PE, and the most sync points that one has passed.
struct Passed {
  std::uint64_t elements = 0, sync_points = 0;
};
Passed elements_of_state();

/// Puts the job where it was behind the sync point of a state. `of_pe_0`: what that has packed; `states`: of
/// which PEs this one passes the elements on, each PE's once. `begin`, the program's first function, runs on
/// PE 0; nothing comes of its calls. Collective, when no array is there.
void come_back(Bytes of_pe_0, std::span<const std::vector<std::byte>> states, void (*begin)());

}  // namespace skein::chare
