// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/image/program.hpp"
#include "runtime/launch/options.hpp"

namespace skein::launch {

/// Makes the ranks that start on this PE, each in its slot: image from the template, control block, heap,
/// fiber. Call it when the arena is reserved and pe::location->pe_of_rank is known. Throws skein::Error.
void create_ranks(const RunOptions& run, image::Program& program);

/// Returns the PE of each rank at the start, as --map says. Throws skein::Error for a map file that cannot be
/// read, or that holds something other than numbers, too few of them, or PEs that do not exist; the message
/// names the place.
std::vector<int> initial_placement(const RunOptions& run);

/// Reserves the arena for the ranks of the job, backed as --arena says; `code_inside`: with their code in
/// their slots in any case. Collective. Throws skein::Error if the arena must be shared and cannot be, or
/// does not fit.
void reserve_arena(const RunOptions& run, image::Program& program, bool code_inside);

}  // namespace skein::launch
