// SPDX-License-Identifier: Apache-2.0
// Memory limits (Pes::memory_bytes) of objects that several processes have. Collective.
#pragma once
#include <cstdint>
#include <vector>

#include "skein/lb/parallel.hpp"

namespace skein::lb {

/// By PE, what the objects of all processes hold; none without a limit.
std::vector<std::uint64_t> held_bytes(const SnapshotPart& part, const Assignment& pe_of, Team& team);

/// Objects stay that would go to a PE above its limit, until no PE holds more than the greater of its limit
/// and what it holds now.
Assignment keep_memory_limit(const SnapshotPart& part, Assignment pe_of, Team& team);

}  // namespace skein::lb
