// SPDX-License-Identifier: Apache-2.0
// Which PEs of a node have which of its memory near: where memory is in several domains (NUMA), a PE's pages
// are in that of the processors it is bound to, and pages of another take longer. (pe_topology.cpp)
#pragma once

namespace skein::balance {

/// To move a byte's page to another domain, s: B. Goglin, N. Furmento, "Enabling high-performance memory
/// migration for multithreaded applications on Linux" (IPDPS workshops, 2009), saw some 600 MB/s.
inline constexpr double kUsualFollowByteS = 1 / 600e6;

/// Finds out. Collective, once; where it is not called nothing is known.
void find_memory_domains();
/// The memory domain of a PE of this node, as a number; -1 where it is not known, as of a PE that is bound to
/// processors of several domains, or where the node has one domain.
int memory_domain(int pe);
/// Whether two PEs of this node are known to be in different ones.
bool are_memories_apart(int pe, int other);

}  // namespace skein::balance
