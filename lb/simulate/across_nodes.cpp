// SPDX-License-Identifier: Apache-2.0
// Blocking collectives node by node (runtime/vmpi/coll/meeting/across_nodes.hpp). What PEs of a node show
// each other is played as messages, and calls of the MPI underneath, which has ways of its own, as the
// algorithms that the runtime would take for them. That the first of a communicator's calls go by messages is
// not played.
#include "lb/simulate/collective_call.hpp"

namespace skein::simulate {
namespace {

using trace::Collective;

/// From the leader at `place` of its node to the others there.
Playing tell_node(Ring node, std::uint64_t bytes, int place) {
  if (node.rank() != place) {
    node.receive(place);
  } else {
    for (int other = 0; other < node.size(); ++other)
      if (other != place) node.send(other, bytes);
  }
  co_await node.all();
}

Playing bring_to_first(Ring node, std::uint64_t bytes) {
  if (node.rank() > 0) {
    node.send(0, bytes);
  } else {
    for (int other = 1; other < node.size(); ++other) node.receive(other);
  }
  co_await node.all();
}

Playing one_block(CollectiveCall& call, std::uint64_t bytes, std::uint32_t from) {
  const bool from_here = call.node_of_leader(from) == call.node();
  Ring node = call.node_leaders();
  if (from_here) co_await tell_node(node, bytes, static_cast<int>(call.place_on_node(from)));
  if (node.rank() == 0)
    co_await by_messages(call.first_leaders(),
                         {Collective::bcast, bytes, static_cast<int>(call.node_of_leader(from))});
  if (!from_here) co_await tell_node(node, bytes, 0);
}

}  // namespace

Playing across_nodes(CollectiveCall& call, Round round, Playing otherwise) {
  Group& group = call.own();
  if (!group.crosses_nodes(round.longest, round.kind)) {
    co_await otherwise;
    co_return;
  }
  if (round.kind == collectives::RoundKind::one_block) {
    co_await one_block(call, collectives::framed_block(round.longest), round.one);
    co_return;
  }
  const bool combined = round.kind == collectives::RoundKind::combined;
  const bool is_barrier = combined && round.longest == 0;
  const std::uint64_t of_node =
      (combined ? 1 : group.most_pes_on_node()) * collectives::framed_block(round.longest);
  Ring node = call.node_leaders();
  co_await bring_to_first(node, round.longest);
  if (node.rank() == 0) {
    if (is_barrier) {
      co_await by_messages(call.first_leaders(), {Collective::barrier});
    } else if (round.one != none) {
      co_await by_messages(call.first_leaders(),
                           {Collective::gather, of_node, static_cast<int>(call.node_of_leader(round.one))});
    } else {
      co_await by_messages(call.first_leaders(), {Collective::allgather, of_node});
    }
  }
  if (round.one == none || call.node_of_leader(round.one) == call.node())
    co_await tell_node(node, combined ? round.longest : of_node * group.first_leaders().size(), 0);
}

}  // namespace skein::simulate
