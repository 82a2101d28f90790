// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/image/program.hpp"
#include "runtime/launch/options.hpp"

namespace skein::launch {

/// Makes the ranks that start on this PE, each in its slot: image from the template, control block, heap,
/// fiber. When the arena is reserved and pe::location->pe_of_rank is known. Throws skein::Error.
void create_ranks(const RunOptions& run, image::Program& program);

}  // namespace skein::launch
