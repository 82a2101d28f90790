// SPDX-License-Identifier: Apache-2.0
// Collective calls of the nodes, each through its first PE: nonblocking ones of the MPI underneath, which
// knows the network, so that ranks compute meanwhile. That MPI matches such calls by their order on a
// communicator, so there are several *channels*, and whoever has one has it alone.
//
// All functions are for the PE's one thread, with the process's heap in force, and never switch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace skein::net {

/// Where there are several nodes, from here on. Collective, at the start of a job whose processes are all of
/// that MPI's.
void open_node_calls();
/// Before that MPI is finalised. No call is under way.
void close_node_calls();
bool node_calls_are_open();

/// One of the channels, by number: the same on the first PE of every node. Those who share it make the same
/// calls in the same order, the next when the one before is over on their own node.
class NodeChannel {
 public:
  static constexpr int most = 8;
  static constexpr int none = -1;
  static constexpr int on_all_nodes = -1;

  /// On PE 0: one that nobody has had since the last free_all(), or none.
  static int take_unused();
  /// Ranks were moved, and nobody has a channel any more. On PE 0.
  static void free_all();

  explicit NodeChannel(int number) : number_(number) {}

  /// Each begins a call, and has_ended() says when it is over here. The memory is the call's until then.
  void barrier();
  /// From the first PE of that node to those of all. The same length on all.
  void broadcast(std::span<std::byte> data, int node);
  /// What each brings, of the same length, is then side by side in the order of the nodes: at the first PE of
  /// that node, or of all.
  void gather(std::span<const std::byte> mine, std::byte* all, int node = on_all_nodes);

  /// Whether the call begun last has ended. If it has failed, for example because lengths differ, the job
  /// ends here with a message.
  bool has_ended();

 private:
  int number_;
};

/// How many calls on each channel this PE has begun, and how many were over here: what is begun by all and
/// not over at some is under way, and needs nobody. On PEs that make none: as many as there can be.
struct NodeCallCounts {
  std::array<std::uint64_t, NodeChannel::most> begun, ended;

  /// Those of several PEs together.
  void join(const NodeCallCounts& others);
  bool any_under_way() const;
  bool operator==(const NodeCallCounts&) const = default;
};
NodeCallCounts node_call_counts();

}  // namespace skein::net
