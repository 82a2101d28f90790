// SPDX-License-Identifier: Apache-2.0
// Which PEs of a node have which of its memory near: where memory is in several domains (NUMA), a PE's pages
// are in that of the processors it is bound to, and pages of another take longer.
#pragma once

namespace skein::balance {

/// To move a byte's page to another domain, s: B. Goglin, N. Furmento, "Enabling high-performance memory
/// migration for multithreaded applications on Linux" (IPDPS workshops, 2009), saw some 600 MB/s.
inline constexpr double usual_follow_byte_s = 1 / 600e6;

/// Finds out. Collective, once; where it is not called nothing is known.
void find_memory_domains();
/// Of a PE of this node: a number that those have in common which are in one domain; -1 where it is not
/// known, as of a PE that is bound to processors of several, or where the node has one domain.
int memory_domain(int pe);
/// Whether two PEs of this node are known to be in different ones.
bool are_memories_apart(int pe, int other);
/// Of the ordered pairs of different PEs of this node: in which part of them they are.
double part_apart();

}  // namespace skein::balance
