// SPDX-License-Identifier: Apache-2.0
// Which algorithm a collective takes, and how a message goes: all bounds in one table. The runtime, the
// simulator and the exporters ask here, so that what is simulated or exported is what runs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein::collectives {

/// Payloads up to this go with their envelope between PEs.
inline constexpr std::size_t kEagerBytes = 8 * 1024;
/// Payloads up to this are kept in the receiver's slot between ranks of one PE.
inline constexpr std::size_t kLocalCopyBytes = 16 * 1024;

/// A broadcast of so many bytes is scattered, for the root's own bandwidth counts for more than the steps.
inline constexpr std::size_t kScatteredBcastBytes = 128 * 1024;
inline constexpr int kScatteredBcastRanks = 8;
constexpr bool scatters_bcast(std::size_t bytes, int ranks) {
  return bytes >= kScatteredBcastBytes && ranks >= kScatteredBcastRanks;
}

/// Gather and scatter: up to this piece, fewer steps are worth the copies that a tree makes of every piece.
/// Both ends know the piece's size.
inline constexpr std::size_t kTreeBytes = 2 * 1024;
inline constexpr int kTreeRanks = 4;
constexpr bool worth_a_tree(std::size_t piece, int ranks) {
  return piece <= kTreeBytes && ranks >= kTreeRanks;
}

/// Allgather, of all pieces together: below, ceil(log2 n) steps on packed copies; above, n - 1 without
/// copies.
inline constexpr std::size_t kRingAllgatherBytes = 64 * 1024;
constexpr bool worth_a_ring(std::size_t total) { return total >= kRingAllgatherBytes; }

/// Alltoall: up to this piece, and from so many ranks on, n log2(n) / 2 copies are cheaper than n messages.
inline constexpr std::size_t kForwardedAlltoallBytes = 256;
inline constexpr int kForwardedAlltoallRanks = 8;
constexpr bool worth_forwarding(std::size_t piece, int ranks) {
  return piece <= kForwardedAlltoallBytes && ranks >= kForwardedAlltoallRanks;
}
/// How many peers a rank talks to at a time, so that it does not flood one that is late.
inline constexpr int kPeersAtOnce = 32;

/// Reductions: from so many bytes on, halves are exchanged and not the whole.
inline constexpr std::size_t kHalvingBytes = 32 * 1024;
constexpr bool worth_halving(std::size_t bytes, std::int64_t elements, int ranks) {
  return ranks > 2 && elements >= ranks && bytes >= kHalvingBytes;
}
/// Reduce-scatter: below, few steps matter most, and everybody gets everything.
constexpr bool worth_pairs(std::size_t total) { return total >= kHalvingBytes; }

/// Whether there are so many ranks a PE that the messages of all count for more than how many follow one
/// another.
constexpr bool is_crowded(std::size_t ranks, std::size_t pes) { return ranks >= 4 * pes; }

/// Pieces of members that assemble: more than this between two PEs is not packed, for the leaders' memory
/// would grow with what all ranks have.
inline constexpr std::size_t kLongestPacked = std::size_t{2} << 20;
/// The longest data of a joint operation: not worth a fiber, nor too much work for whoever comes last.
inline constexpr std::size_t kLongestJoint = 1024;
/// What the PEs of a node show each other at once.
inline constexpr std::size_t kLongestShown = 8192;
/// The bytes of all nodes together that the first PE of each combines.
inline constexpr std::size_t kMostCombined = std::size_t{64} << 10;

}  // namespace skein::collectives
