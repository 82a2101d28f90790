// SPDX-License-Identifier: Apache-2.0
// The bounds that choose the algorithm of a collective and the protocol of a message, in one table. The
// runtime, the simulator and the exporters use it, so that simulated and exported programs do the same.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein::collectives {

/// Payloads up to this size travel with their envelope between PEs.
inline constexpr std::size_t kEagerBytes = 8 * 1024;
/// Payloads up to this size are copied to the receiver's slot between ranks of one PE.
inline constexpr std::size_t kLocalCopyBytes = 16 * 1024;

/// Broadcasts from this size on are scattered, as the root's bandwidth counts for more than steps.
inline constexpr std::size_t kScatteredBcastBytes = 128 * 1024;
inline constexpr int kScatteredBcastRanks = 8;
constexpr bool scatters_bcast(std::size_t bytes, int ranks) {
  return bytes >= kScatteredBcastBytes && ranks >= kScatteredBcastRanks;
}

/// Gather and scatter: for pieces up to this size, fewer steps are worth the copies of every piece that a
/// tree makes. Both ends know the piece's size.
inline constexpr std::size_t kTreeBytes = 2 * 1024;
inline constexpr int kTreeRanks = 4;
constexpr bool worth_a_tree(std::size_t piece, int ranks) {
  return piece <= kTreeBytes && ranks >= kTreeRanks;
}

/// Allgather, by the size of all pieces together: below this bound, ceil(log2 n) steps on packed copies; from
/// it on, n - 1 steps without copies.
inline constexpr std::size_t kRingAllgatherBytes = 64 * 1024;
constexpr bool worth_a_ring(std::size_t total) { return total >= kRingAllgatherBytes; }

/// Alltoall: up to this piece, and from so many ranks on, n log2(n) / 2 copies are cheaper than n messages.
inline constexpr std::size_t kForwardedAlltoallBytes = 256;
inline constexpr int kForwardedAlltoallRanks = 8;
constexpr bool worth_forwarding(std::size_t piece, int ranks) {
  return piece <= kForwardedAlltoallBytes && ranks >= kForwardedAlltoallRanks;
}
/// The number of peers that a rank exchanges with at a time, so that it does not flood a late one.
inline constexpr int kPeersAtOnce = 32;

/// Reductions: from this size on, halves are exchanged instead of wholes.
inline constexpr std::size_t kHalvingBytes = 32 * 1024;
constexpr bool worth_halving(std::size_t bytes, std::int64_t elements, int ranks) {
  return ranks > 2 && elements >= ranks && bytes >= kHalvingBytes;
}
/// Returns true for the pairwise algorithm. Below, few steps matter most: each rank gets all.
constexpr bool worth_pairs(std::size_t total) { return total >= kHalvingBytes; }

/// Returns true if the ranks a PE are so many that the number of messages counts for more than their
/// sequence.
constexpr bool is_crowded(std::size_t ranks, std::size_t pes) { return ranks >= 4 * pes; }

/// Pieces of assembled members: more than this between two PEs is not packed, because the leaders' memory
/// would grow with the data of all ranks.
inline constexpr std::size_t kLongestPacked = std::size_t{2} << 20;
/// The longest data of a joint operation: longer data is worth a fiber, or too much work for the last member.
inline constexpr std::size_t kLongestJoint = 1024;
/// The bytes that the PEs of a node show each other at once.
inline constexpr std::size_t kLongestShown = 8192;
/// The bytes of all nodes together that the first PE of each node combines.
inline constexpr std::size_t kMostCombined = std::size_t{64} << 10;

}  // namespace skein::collectives
