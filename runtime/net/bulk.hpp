// SPDX-License-Identifier: Apache-2.0
// The bulk half of the transport: long messages, copied from memory to memory. Both ends name a transfer by
// the same tag.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/net/lengths.hpp"

namespace skein::net {

/// The call to make when a bulk transfer is complete; the words `a` and `b` are the caller's.
struct Completion {
  void (*call)(std::uint64_t a, std::uint64_t b) = nullptr;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
};
/// Returns a tag, at most 30,000, that no other transfer into this PE uses now.
int new_bulk_tag();
/// Returns the largest tag that a transfer may have.
int largest_bulk_tag();
void bulk_send(int pe, int tag, Bytes from, Completion done);
void bulk_receive(int pe, int tag, void* to, std::size_t bytes, Completion done);

// ---- for transport.cpp alone

void start_bulk();
void finish_bulk();
bool poll_bulk();
/// Lets the MPI underneath finish its part of transfers that are complete here: a sender may wait for an
/// acknowledgement, which that MPI sends only while it is called. poll_bulk() does this now and then, too.
void progress_bulk();

/// Sets the length above which transfers are split into pieces (1 GiB at the start). All PEs set the same
/// value while no transfer is under way. For tests, which would otherwise need gigabytes to see a second
/// piece.
void set_longest_piece(std::size_t bytes);

struct BulkTraffic {
  std::uint64_t begun = 0;  ///< sends
  std::uint64_t completed_receives = 0;
  std::uint64_t active = 0;
};
/// Returns the traffic with the PEs that are counted apart (count_apart()), or with the others.
BulkTraffic bulk_traffic(bool others);

}  // namespace skein::net
