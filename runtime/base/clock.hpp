// SPDX-License-Identifier: Apache-2.0
// Two clocks. ticks() is the processor's invariant counter, a few nanoseconds to read and therefore fit for
// every switch between ranks; seconds() is the system's monotonic clock, one for all processes of a node.
#pragma once

#include <time.h>

#include <cstdint>

namespace skein {

inline std::uint64_t ticks() { return __builtin_ia32_rdtsc(); }

/// Returns the length of a tick in nanoseconds, measured once against the monotonic clock (takes 2 ms at the
/// first call).
double ns_per_tick();

/// Convert lengths of time from ticks to other units.
inline double ns_of(std::uint64_t ticks) { return static_cast<double>(ticks) * ns_per_tick(); }
inline double seconds_of(std::uint64_t ticks) { return ns_of(ticks) * 1e-9; }
/// Returns the nanoseconds since that value of ticks().
inline double ns_since(std::uint64_t start) { return ns_of(ticks() - start); }

inline double seconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace skein
