// SPDX-License-Identifier: Apache-2.0
// What placements and moves take on a machine, in seconds: the cost terms of O. Pearce, T. Gamblin,
// B. R. de Supinski, M. Schulz, N. M. Amato, "Quantifying the effectiveness of load balance algorithms",
// ICS 2012, with communication added. Pure; a snapshot is expected to be valid.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// What messages between two processes take: seconds each, and seconds for each byte.
struct LinkCosts {
  double message_s = 0;
  double byte_s = 0;
};

/// The machine. All in seconds; 0 means that it is not counted.
struct CostModel {
  double object_s = 0;          // alpha: moving one object, whatever its size, at each of its two PEs
  double byte_s = 0;            // beta: each byte of it
  double remote_message_s = 0;  // what a message costs each of two PEs more than it would inside one
  double remote_byte_s = 0;     // each byte of it
  double meeting_s = 0;         // an LB step without its decision and movement: to meet, collect, resume
  double rebuild_s = 0;         // what the application does once after objects moved, however many: new halos
  /// The two of messages, between PEs of one node; without it as between any two.
  std::optional<LinkCosts> in_node = {};
};

/// Measured: `exchange(bytes)` sends so many bytes to a partner, receives as many from it, and returns when
/// both have arrived; the partner does the same. Each size is exchanged five times, of which the first warms
/// up and the least of the others counts. `clock` gives seconds.
LinkCosts measure_link(std::size_t short_bytes, std::size_t long_bytes, double (*clock)(),
                       const std::function<void(std::size_t bytes)>& exchange);

/// What the messages of an interval cost.
struct MessageCosts {
  std::vector<double> pe_s;  // of each PE, for what it exchanges with others
  double remote_s = 0;       // messages between PEs, at one of their ends
  double all_s = 0;          // all messages, were they between PEs, at one of their ends
};
/// All zero without a graph.
MessageCosts message_costs(const Snapshot& snapshot, std::span<const PeIndex> pe_of, const CostModel& cost);

/// What an interval like the measured one takes: the largest sum of a PE's finish time and what its messages
/// to and from other PEs cost. Parts of objects are taken to send and receive where the rest of theirs is.
double interval_seconds(const Snapshot& snapshot, const Decision& decision, const CostModel& cost);

/// What it takes to get from the snapshot's placement to `pe_of`, and to split these parts off: PEs move
/// their objects one after the other, all PEs at the same time, so the PE with most to send and receive
/// decides. Then comes the rebuilding.
double movement_seconds(const Snapshot& snapshot, std::span<const PeIndex> pe_of, const CostModel& cost,
                        std::span<const Split> splits = {});

}  // namespace skein::lb
