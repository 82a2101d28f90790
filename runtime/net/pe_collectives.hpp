// SPDX-License-Identifier: Apache-2.0
// Collective calls of all PEs, for start-up and for LB steps. Every PE calls them in the same order, from its
// own stack. None runs ranks by itself; those marked so poll the transport while they wait, so that messages
// between ranks of PEs that have not come so far go on, and what waits here for room. The others are for when
// no PE needs a message to come to them: at the start, and behind one that polls, as all in an LB step are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/net/transport.hpp"

namespace skein::net {

/// From here on short ones go through memory where all PEs share it (pe_rounds.hpp), and not through the MPI
/// underneath. Collective, with the exchanges open (exchanges.hpp).
void open_rounds();
/// Before the exchanges are closed.
void close_rounds();

/// From PE `root` to all.
void broadcast(void* data, std::size_t bytes, int root);
/// Broadcasts a block whose length only PE `root` knows.
void broadcast_block(std::vector<std::byte>& block, int root);
/// Returns the text of PE `root` on all PEs. That of others does not matter.
std::string broadcast_text(std::string_view text, int root);
/// Every PE's `bytes` bytes, in order of PE, on every PE.
void all_gather(const void* mine, std::size_t bytes, void* all);
/// Blocks of different lengths, one behind the other in order of PE.
std::vector<std::byte> all_gather_blocks(std::span<const std::byte> mine);
/// A block of each PE.
struct PeBlocks {
  std::vector<std::byte> bytes;      ///< one behind the other in order of PE
  std::vector<std::uint64_t> sizes;  ///< by PE

  /// Calls `f(pe, block)` for each.
  template <class F>
  void for_each(F f) const {
    std::span<const std::byte> rest(bytes);
    for (std::size_t pe = 0; pe < sizes.size(); rest = rest.subspan(sizes[pe++]))
      f(pe, rest.first(sizes[pe]));
  }
};
inline constexpr int kOnAllPes = -1;
/// On PE `root`, or on all; the others get none.
PeBlocks gather_blocks(std::span<const std::byte> mine, int root);
/// What is broadcast, or gathered in blocks, by the MPI underneath goes in rounds of at most so many bytes,
/// of all PEs together (1 GiB at the start). The same on all PEs. For tests, which would otherwise need
/// gigabytes to see a second round.
void set_longest_round(std::size_t bytes);
/// Element-wise largest values over all PEs, in place.
void max_of_all(std::span<double> values);
/// Element-wise sums over all PEs, in place; bit by bit the same on each.
void sum_of_all(std::span<double> values);
/// Element-wise sums over all PEs, in place. Polls while it waits, or does what `serve` says instead, which
/// returns whether anything happened.
void sum_polling(std::span<std::uint64_t> values, bool (*serve)() = poll);
/// Waits for all PEs.
void barrier();
/// A barrier that calls `serve` while it waits; `serve` returns whether anything happened.
void barrier(bool (*serve)());

/// Called again and again while this PE waits in a collective call, with the number of that call, which is
/// the same on all PEs. Null: nobody is. On all PEs around the same calls: these are nonblocking ones then,
/// which MPI does not match with others.
void look_while_waiting(void (*look)(std::uint64_t call));

}  // namespace skein::net
