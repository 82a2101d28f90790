// SPDX-License-Identifier: Apache-2.0
// Steps the processes of a distributed strategy (skein/lb/distributed.hpp) on the real PEs, with messages
// between them. A PE gets only what is sent to it and the few numbers of the reductions.
#pragma once

#include <memory>
#include <span>

#include "skein/lb/distributed.hpp"

namespace skein::balance {

/// Steps all processes until they are done. Collective. PE q mod pes of the world plays the strategy's PE q,
/// so `mine` are those of this PE, rising; in a run each PE plays one, itself. Polls while it waits.
void run_pe_processes(std::span<const std::unique_ptr<lb::PeProcess>> mine, lb::PeIndex pe_count);

}  // namespace skein::balance
