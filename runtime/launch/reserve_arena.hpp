// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/image/program.hpp"
#include "runtime/launch/options.hpp"

namespace skein::launch {

/// Reserves the arena for the ranks of the job, backed as --arena says. Collective. Throws skein::Error where
/// it was to be shared and cannot be, or does not fit.
void reserve_arena(const RunOptions& run, image::Program& program);

}  // namespace skein::launch
