// SPDX-License-Identifier: Apache-2.0
// Rounds between PEs of several nodes in a blocking collective. The PEs of a node use memory that they share
// (node_exchange.hpp); the first PEs of the nodes use collective calls of the MPI underneath
// (net/node_calls.hpp), so that two nodes send each other only what their algorithm needs, and not what each
// PE says to each.
//
// The functions that exchange data are called by the member that completes the collective on its PE, on its
// main fiber, and may switch. The member does not move meanwhile, as in the whole collective.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "runtime/net/node_calls.hpp"
#include "runtime/vmpi/coll/meeting/node_exchange.hpp"
#include "runtime/vmpi/coll/meeting/node_places.hpp"

namespace skein::vmpi {

class AcrossNodes {
 public:
  /// Precondition: places.have_all_first. `channel`: a channel between the nodes, for this object alone.
  /// `on_node`: an exchange of places.own_node, if these are several PEs.
  AcrossNodes(const NodePlaces& places, int channel, const net::ExchangeAddress& on_node);

  /// Begins the rounds of a collective of `comm`; `word`: the claim of this PE (claim.hpp). The nodes compare
  /// claims when they exchange blocks, and not in meet().
  void begin(const Comm& comm, std::uint64_t word);
  /// Exchanges blocks between all PEs, named by leader; this one is `own`. No block is longer than `longest`,
  /// which is the same on all PEs, and fits. Parameters otherwise as those of exchange_on_node().
  template <class Fill, class Take>
  void exchange(int own, Direction direction, std::size_t longest, std::size_t bytes, WaitReason reason,
                const Fill& fill, const Take& take);
  /// Combines the blocks of all PEs: those of each node in the order of its PEs, then those of the nodes in
  /// their order. Parameters as those of combine_on_node().
  template <class Fill, class Combine, class Take>
  void combine(int own, Direction direction, std::size_t bytes, WaitReason reason, const Fill& fill,
               const Combine& combine, const Take& take);
  /// Returns when all PEs have called it.
  void meet(WaitReason reason);

 private:
  /// Returns true on the first PE of this node.
  bool speaks() const { return !on_node_ || on_node_->place() == 0; }
  bool is_here(int leader) const {
    return places_.of[static_cast<std::size_t>(leader)].node == net::world.node;
  }
  int place_of(int leader) const { return places_.of[static_cast<std::size_t>(leader)].place; }
  /// Returns the node of the PE that takes blocks, or on_all_nodes.
  int node_of(Direction direction) const {
    return direction.kind == Direction::Kind::to_one
               ? places_.of[static_cast<std::size_t>(direction.one)].node
               : net::NodeChannel::on_all_nodes;
  }
  /// Returns true if PEs of this node take blocks of others.
  bool node_takes(Direction direction) const {
    return direction.kind != Direction::Kind::to_one || is_here(direction.one);
  }

  void send_one(Direction direction, std::size_t longest, WaitReason reason);
  void gather(Direction direction, std::size_t longest, WaitReason reason);
  /// Returns the block of a leader once it has come.
  std::span<const std::byte> block(int leader, Direction direction, std::size_t longest) const;
  /// Write and read blocks with their heads.
  void write_head(std::size_t bytes, std::byte* to) const;
  void write_framed(std::span<const std::byte> block, std::byte* to, std::size_t longest) const;
  /// Reads the block of `leader`. Ends the job if the claim in its head is another than this PE's.
  std::span<const std::byte> read_framed(const std::byte* from, int leader) const;
  /// Waits for the end of the call between nodes that was begun.
  void wait_for_nodes(WaitReason reason);
  /// Passes data from the first PE of this node to the others, which have room for it.
  void tell_node(std::span<std::byte> data, WaitReason reason);

  NodePlaces places_;
  net::NodeChannel channel_;
  std::optional<NodeExchange> on_node_;
  std::vector<std::byte> own_;      // the block that this PE gives
  std::vector<std::byte> of_node_;  // the blocks of this node's PEs
  std::vector<std::byte> all_;      // the blocks of all nodes
  const Comm* comm_ = nullptr;      // while its members are in the collective
  std::uint64_t word_ = 0;          // this PE's claim in this collective (claim.hpp)
};

/// Returns true if the first PE of each node passes `yes`. Called on these PEs. `channel`: between the nodes.
bool do_all_nodes(int channel, bool yes, WaitReason reason);

// ---- the rest is implementation

template <class Fill, class Take>
void AcrossNodes::exchange(int own, Direction direction, std::size_t longest, std::size_t bytes,
                           WaitReason reason, const Fill& fill, const Take& take) {
  own_.resize(direction.gives(own) ? bytes : 0);
  if (direction.gives(own)) fill(own_.data());
  if (direction.kind == Direction::Kind::from_one)
    send_one(direction, longest, reason);
  else
    gather(direction, longest, reason);
  if (direction.takes(own)) take([&](int leader) { return block(leader, direction, longest); });
}

template <class Fill, class Combine, class Take>
void AcrossNodes::combine(int own, Direction direction, std::size_t bytes, WaitReason reason,
                          const Fill& fill, const Combine& combine, const Take& take) {
  const std::size_t apart = collectives::framed_block(bytes), head = sizeof(collectives::BlockHead);
  own_.resize(apart);
  std::byte* const mine = own_.data() + head;
  if (on_node_)
    combine_on_node(*on_node_, Direction::to(0), bytes, reason, fill, combine,
                    [&](const std::byte* result) { memcpy(mine, result, bytes); });
  else
    fill(mine);
  if (speaks()) {
    write_head(bytes, own_.data());
    const auto nodes = static_cast<std::size_t>(net::world.nodes);
    all_.resize(apart * nodes);
    channel_.gather(own_, all_.data(), node_of(direction));
    wait_for_nodes(reason);
    if (node_takes(direction))
      combine(
          mine, [&](std::size_t node) { return read_framed(&all_[node * apart], places_.first[node]); },
          nodes);
  }
  if (node_takes(direction)) tell_node({mine, bytes}, reason);
  if (direction.takes(own)) take(static_cast<const std::byte*>(mine));
}

}  // namespace skein::vmpi
