// SPDX-License-Identifier: Apache-2.0
// What PEs of several nodes do together in a blocking collective: those of a node through memory that they
// share (node_exchange.hpp), and the nodes, by their first PEs, through collective calls of the MPI
// underneath (net/node_calls.hpp), so that between two nodes goes what their algorithm needs, and not what
// all PEs say to each other.
//
// All functions but those that only tell: from the member that completes the collective on its PE, on its
// main fiber; may switch. The member does not move meanwhile, as in all of such a collective.
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
  /// Precondition: places.have_all_first. `channel`: of the nodes, for this object alone. `on_node`: an
  /// exchange of places.own_node, where these are several.
  AcrossNodes(const NodePlaces& places, int channel, const net::ExchangeAddress& on_node);

  /// NodeExchange::begin(). The nodes compare where blocks come from others, and not in meet().
  void begin(const Comm& comm, std::uint64_t word);
  /// exchange_on_node() of all PEs, named by leader; this one is `own`. No block is longer than `longest`,
  /// which is the same on all PEs, and fits.
  template <class Fill, class Take>
  void exchange(int own, Direction direction, std::size_t longest, std::size_t bytes, WaitReason reason,
                const Fill& fill, const Take& take);
  /// combine_on_node() likewise: the PEs of each node in their order, then the nodes in theirs.
  template <class Fill, class Combine, class Take>
  void combine(int own, Direction direction, std::size_t bytes, WaitReason reason, const Fill& fill,
               const Combine& combine, const Take& take);
  /// All wait for all.
  void meet(WaitReason reason);

 private:
  /// The first PE of this node.
  bool speaks() const { return !on_node_ || on_node_->place() == 0; }
  bool is_here(int leader) const {
    return places_.of[static_cast<std::size_t>(leader)].node == net::world.node;
  }
  int place_of(int leader) const { return places_.of[static_cast<std::size_t>(leader)].place; }
  /// The node of the PE for whom blocks are, or on_all_nodes.
  int node_of(Direction direction) const {
    return direction.kind == Direction::Kind::to_one
               ? places_.of[static_cast<std::size_t>(direction.one)].node
               : net::NodeChannel::on_all_nodes;
  }
  /// Whether PEs of this node take what comes from others.
  bool node_takes(Direction direction) const {
    return direction.kind != Direction::Kind::to_one || is_here(direction.one);
  }

  void send_one(Direction direction, std::size_t longest, WaitReason reason);
  void gather(Direction direction, std::size_t longest, WaitReason reason);
  /// The block of a leader, when it has come.
  std::span<const std::byte> block(int leader, Direction direction, std::size_t longest) const;
  /// Blocks with their heads.
  void write_head(std::size_t bytes, std::byte* to) const;
  void write_framed(std::span<const std::byte> block, std::byte* to, std::size_t longest) const;
  /// Ends the job if the PE of that leader, whose it is, has said something else than this one.
  std::span<const std::byte> read_framed(const std::byte* from, int leader) const;
  /// Waits for the end of the nodes' call that was begun.
  void wait_for_nodes(WaitReason reason);
  /// What the first PE of this node has goes to its others, which have room for it.
  void tell_node(std::span<std::byte> data, WaitReason reason);

  NodePlaces places_;
  net::NodeChannel channel_;
  std::optional<NodeExchange> on_node_;
  std::vector<std::byte> own_;      // the block that this PE gives
  std::vector<std::byte> of_node_;  // what the PEs of this node give
  std::vector<std::byte> all_;      // what the nodes do
  const Comm* comm_ = nullptr;      // while its members are in the collective
  std::uint64_t word_ = 0;          // of that: claim.hpp
};

/// On the first PE of each node: whether all say yes. `channel`: of the nodes.
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
