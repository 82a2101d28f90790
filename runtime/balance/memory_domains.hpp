// SPDX-License-Identifier: Apache-2.0
// Memory domains (NUMA) of the PEs of a node: a PE's pages are in the domain of the processors that it is
// bound to, and pages of another domain take longer. (pe_topology.cpp)
#pragma once

namespace skein::balance {

/// Usual time for a byte when its page moves to another domain, s: B. Goglin, N. Furmento, "Enabling
/// high-performance memory migration for multithreaded applications on Linux" (IPDPS workshops, 2009), saw
/// some 600 MB/s.
inline constexpr double kUsualFollowByteS = 1 / 600e6;

/// Finds the domains. Collective, once; without this call none is known.
void find_memory_domains();
/// Returns the number of the memory domain of a PE of this node; -1 where it is not known: the PE is bound to
/// processors of several domains, or the node has one domain.
int memory_domain(int pe);
/// Returns true if two PEs of this node are known to be in different domains.
bool are_memories_apart(int pe, int other);

}  // namespace skein::balance
