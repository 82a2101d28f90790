// SPDX-License-Identifier: Apache-2.0
// Memory limits (Pes::memory_bytes) for objects of several processes. Every function is collective.
#pragma once
#include <cstdint>
#include <vector>

#include "skein/lb/parallel.hpp"

namespace skein::lb {

/// Returns by PE the bytes of the objects of all processes; empty without a limit.
std::vector<std::uint64_t> held_bytes(const SnapshotPart& part, const Assignment& pe_of, Team& team);

/// Returns the assignment changed so that no PE holds more than the greater of its limit and what it holds
/// now: objects that would move to a PE above its limit stay.
Assignment keep_memory_limit(const SnapshotPart& part, Assignment pe_of, Team& team);

}  // namespace skein::lb
