// SPDX-License-Identifier: Apache-2.0
// The bulk half of the transport: long messages, from memory to memory. Both ends name one by the same tag.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/net/lengths.hpp"

namespace skein::net {

/// What to call when a bulk transfer is complete; the two words are the caller's.
struct Completion {
  void (*call)(std::uint64_t a, std::uint64_t b) = nullptr;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
};
/// A tag that no other transfer into this PE uses now.
int new_bulk_tag();
/// The largest tag there is; those that new_bulk_tag() returns are at most 30,000.
int largest_bulk_tag();
void bulk_send(int pe, int tag, Bytes from, Completion done);
void bulk_receive(int pe, int tag, void* to, std::size_t bytes, Completion done);

// ---- the rest is for transport.cpp

void start_bulk();
void finish_bulk();
bool poll_bulk();
/// Lets the MPI underneath go on with what it owes to others for transfers that are complete here: whoever
/// sent may wait for its word, and it works only while it is called. poll_bulk() does so, too, now and then.
void progress_bulk();

/// Transfers longer than this (1 GiB at the start) go in pieces. The same on all PEs, and while nothing is
/// under way. For tests, which would otherwise need gigabytes to see a second piece.
void set_longest_piece(std::size_t bytes);

struct BulkTraffic {
  std::uint64_t begun = 0;  ///< sends
  std::uint64_t completed_receives = 0;
  std::uint64_t active = 0;
};
/// With the PEs that are counted apart (count_apart()), or with the others.
BulkTraffic bulk_traffic(bool others);

}  // namespace skein::net
