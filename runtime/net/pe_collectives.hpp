// SPDX-License-Identifier: Apache-2.0
// Collective calls of all PEs, for start-up and for LB steps. Every PE calls them in the same order, from its
// own stack. None runs ranks. Those marked so poll the transport while they wait, so that messages to and
// from PEs that have not called yet go on, waiting ones included. The others are for phases in which no PE
// needs a message: at the start, and, in an LB step, behind a call that polls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/net/transport.hpp"

namespace skein::net {

/// Sends short blocks through memory from here on, where all PEs share it (pe_rounds.hpp), and not through
/// the MPI underneath. Collective, with the exchanges open (exchanges.hpp).
void open_rounds();
/// Closes the rounds; called before the exchanges are closed.
void close_rounds();

/// Sends a block from PE `root` to all.
void broadcast(void* data, std::size_t bytes, int root);
/// Broadcasts a block whose length only PE `root` knows.
void broadcast_block(std::vector<std::byte>& block, int root);
/// Returns the text of PE `root` on all PEs, whose own `text` does not matter.
std::string broadcast_text(std::string_view text, int root);
/// Gathers every PE's `bytes` bytes, in order of PE, on every PE.
void all_gather(const void* mine, std::size_t bytes, void* all);
/// Returns, on every PE, the blocks of all PEs, which may differ in length, one behind the other in order of
/// PE.
std::vector<std::byte> all_gather_blocks(std::span<const std::byte> mine);
/// A block of each PE.
struct PeBlocks {
  std::vector<std::byte> bytes;      ///< one behind the other in order of PE
  std::vector<std::uint64_t> sizes;  ///< by PE

  /// Calls `f(pe, block)` for each PE.
  template <class F>
  void for_each(F f) const {
    std::span<const std::byte> rest(bytes);
    for (std::size_t pe = 0; pe < sizes.size(); rest = rest.subspan(sizes[pe++]))
      f(pe, rest.first(sizes[pe]));
  }
};
inline constexpr int kOnAllPes = -1;
/// Gathers a block of each PE on PE `root`, or on all; the others get none.
PeBlocks gather_blocks(std::span<const std::byte> mine, int root);
/// Sets the length above which the MPI underneath broadcasts and gathers blocks in several rounds: bytes of
/// all PEs together (1 GiB at the start). All PEs set the same value. For tests, which would otherwise need
/// gigabytes to see a second round.
void set_longest_round(std::size_t bytes);
/// Replaces each element with the largest value over all PEs.
void max_of_all(std::span<double> values);
/// Replaces each element with its sum over all PEs; bit by bit the same on each.
void sum_of_all(std::span<double> values);
/// Replaces each element with its sum over all PEs. While it waits it polls, or calls `serve`, which returns
/// true if anything happened.
void sum_polling(std::span<std::uint64_t> values, bool (*serve)() = poll);
/// Waits for all PEs.
void barrier();
/// Waits for all PEs, and calls `serve` meanwhile; `serve` returns true if anything happened.
void barrier(bool (*serve)());

/// Sets a function that is called again and again while this PE waits in a collective call, with the number
/// of that call, which is the same on all PEs. Null: none. All PEs set it around the same calls: these are
/// nonblocking calls then, which MPI does not match with blocking ones.
void look_while_waiting(void (*look)(std::uint64_t call));

}  // namespace skein::net
