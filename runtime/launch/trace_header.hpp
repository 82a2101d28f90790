// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/launch/options.hpp"
#include "skein/lb/trace.hpp"

namespace skein::launch {

/// What a recording (--trace) says of the job as a whole, but for its objects.
trace::Header trace_header(const RunOptions& run);

}  // namespace skein::launch
