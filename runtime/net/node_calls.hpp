// SPDX-License-Identifier: Apache-2.0
// Collective calls of the nodes, each through its first PE: nonblocking calls of the MPI underneath, which
// knows the network, so that ranks compute meanwhile. That MPI matches calls by their order on a
// communicator. So there are several *channels*, each of which has one user at a time.
//
// All functions are for the PE's one thread, with the process's heap in force, and never switch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace skein::net {

/// Opens the channels, if there are several nodes. Collective, at the start of a job that has all processes
/// of that MPI.
void open_node_calls();
/// Closes the channels, before that MPI is finalised. Precondition: no call is under way.
void close_node_calls();
bool node_calls_are_open();

/// One of the channels, by number: the same on the first PE of every node. The members that share it make the
/// same calls in the same order, each once the call before is over on their own node.
class NodeChannel {
 public:
  static constexpr int most = 8;
  static constexpr int none = -1;
  static constexpr int on_all_nodes = -1;

  /// Returns, on PE 0, a channel that was not taken since the last free_all(), or none.
  static int take_unused();
  /// Frees all channels, on PE 0, after ranks were moved: nobody has one any more.
  static void free_all();

  explicit NodeChannel(int number) : number_(number) {}

  /// Begins a barrier. has_ended() says when a call is over here; until then its memory belongs to the call.
  void barrier();
  /// Begins a broadcast from the first PE of `node` to those of all nodes. The length is the same on all.
  void broadcast(std::span<std::byte> data, int node);
  /// Begins a gather of blocks of the same length, side by side in the order of the nodes: to the first PE of
  /// `node`, or of all nodes.
  void gather(std::span<const std::byte> mine, std::byte* all, int node = on_all_nodes);

  /// Returns true if the call begun last has ended. If it has failed, for example because lengths differ,
  /// ends the job with a message.
  bool has_ended();

 private:
  int number_;
};

/// The number of calls on each channel that this PE has begun, and that were over here. A call begun by all
/// and not over at some is under way, and needs nobody. PEs that make no calls have the largest possible
/// numbers.
struct NodeCallCounts {
  std::array<std::uint64_t, NodeChannel::most> begun, ended;

  /// Joins the counts of other PEs into these.
  void join(const NodeCallCounts& others);
  bool any_under_way() const;
  bool operator==(const NodeCallCounts&) const = default;
};
NodeCallCounts node_call_counts();

}  // namespace skein::net
