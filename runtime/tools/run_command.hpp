// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "runtime/tools/stage.hpp"
#include "skein/lb/trace.hpp"
#include "skein/lb/tune.hpp"

namespace skein::tools {

/// Returns the command line that runs the recorded program in that configuration: the recorded options
/// without those that the configuration decides and those for recording and reports. "skein run -p 16 -n 64
/// --lb refine --lb-period 10 --sync-at=MPI_Allreduce ./app 7"
std::string run_command(const trace::Header& header, const tune::Configuration& configuration,
                        const Stage& stage, const simulate::Platform& platform);

}  // namespace skein::tools
