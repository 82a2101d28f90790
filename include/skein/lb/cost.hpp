// SPDX-License-Identifier: Apache-2.0
// The time that placements and moves take on a machine, in seconds: the cost terms of O. Pearce, T. Gamblin,
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

/// The time that messages between two processes take: seconds each, and seconds for each byte.
struct LinkCosts {
  double message_s = 0;
  double byte_s = 0;
};

/// The costs of the machine, all in seconds; a cost of 0 is not counted.
struct CostModel {
  double object_s = 0;          // alpha: moving one object, whatever its size, at each of its two PEs
  double byte_s = 0;            // beta: moving each byte of an object
  double remote_message_s = 0;  // how much more a message costs each of two PEs than one inside a PE
  double remote_byte_s = 0;     // each byte of it
  double meeting_s = 0;  // meeting, collecting and resuming in an LB step, without decision and movement
  double rebuild_s = 0;  // what the application does once after objects moved, however many: new halos
  /// The message costs between PEs of one node; without a value, those between any two PEs hold.
  std::optional<LinkCosts> in_node = {};
};

/// Measures a link. `exchange(bytes)` sends that many bytes to a partner, receives as many, and returns when
/// both have arrived; the partner calls it too. Each size is exchanged five times: the first warms up, and
/// the least of the others counts. `clock` returns seconds.
LinkCosts measure_link(std::size_t short_bytes, std::size_t long_bytes, double (*clock)(),
                       const std::function<void(std::size_t bytes)>& exchange);

/// The costs of an interval's messages.
struct MessageCosts {
  std::vector<double> pe_s;  // by PE, for its messages with other PEs
  double remote_s = 0;       // messages between PEs, at one of their ends
  double all_s = 0;          // all messages as if they were between PEs, at one of their ends
};
/// Returns the costs of the interval's messages; all zero without a graph.
MessageCosts message_costs(const Snapshot& snapshot, std::span<const PeIndex> pe_of, const CostModel& cost);

/// Returns the time of an interval like the measured one: the largest sum of a PE's finish time and the cost
/// of its messages to and from other PEs. Levels (Objects::level) run one after another: where objects have
/// levels, the result is the sum of the levels' largest finish times and the largest message cost of a PE. A
/// part of an object sends and receives where the rest of the object is.
double interval_seconds(const Snapshot& snapshot, const Decision& decision, const CostModel& cost,
                        double spread_s = 0);

/// Returns the time to move from the snapshot's placement to `pe_of` and to split off `splits`, rebuilding
/// included. All PEs move at the same time, each its objects one after the other, so the busiest decides.
double movement_seconds(const Snapshot& snapshot, std::span<const PeIndex> pe_of, const CostModel& cost,
                        std::span<const Split> splits = {});

}  // namespace skein::lb
