// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/load/meter.hpp"

namespace skein::trace {

/// The part of an object's recording that moves with it. In its control block, and so no part of the memory
/// that it has in use.
struct Progress {
  std::uint64_t burst_began = 0;  ///< busy_ticks at that time, as its last stream left it
  std::uint64_t chunks = 0;       ///< written so far, on all PEs
  std::uint32_t requests = 0;     ///< started by the last stream that it had, modulo 2^29
  std::uint32_t tokens = 0;       ///< given out so far, on all PEs: Stream::token_of_last()
  bool ended = false;
  std::int64_t counted[load::kMaxCounters] = {};   ///< its counters at the begin of the burst
  std::int64_t in_burst[load::kMaxCounters] = {};  ///< the recorded ones when it ended, in their order
};

}  // namespace skein::trace
