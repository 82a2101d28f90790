// SPDX-License-Identifier: Apache-2.0
// Collectives of intercommunicators, as runtime/vmpi/coll/algorithms/between.cpp makes them, and blocking
// collectives node by node (runtime/vmpi/coll/meeting/across_nodes.hpp). Blocks that PEs of a node show each
// other are played as messages; calls of the MPI underneath, which has its own algorithms, as the algorithms
// that the runtime would take for them. The first calls of a communicator, which go by messages, are played
// like later ones.
#include "lb/simulate/collective_call.hpp"

namespace skein::simulate {
namespace {

using trace::Collective;

bool leads(const CollectiveCall& call) { return call.rank() == 0; }
ObjectIndex other(CollectiveCall& call, std::uint32_t rank) { return call.others().members()[rank]; }

/// Exchanges data between the first ranks, which all of their groups then get.
Playing exchange_and_share(CollectiveCall& call, std::uint64_t bytes) {
  if (leads(call)) {
    Ring ring = call.ring();
    ring.receive_from(other(call, 0));
    ring.send_to(other(call, 0), bytes);
    co_await ring.all();
  }
  co_await by_messages(call.ring(), {Collective::bcast, bytes});
}

Playing barrier_between(CollectiveCall& call) {
  co_await by_messages(call.ring(), {Collective::barrier});
  co_await exchange_and_share(call, 0);
}

Playing bcast_between(CollectiveCall& call) {
  Ring ring = call.ring();
  if (call.root_is_ours()) {
    if (call.rank() == call.root()) ring.send_to(other(call, 0), call.bytes());
    co_await ring.all();
    co_return;
  }
  if (leads(call)) ring.receive_from(other(call, call.root()));
  co_await ring.all();
  co_await by_messages(ring, {Collective::bcast, call.bytes()});
}

/// Plays gather and scatter between the root and each member of the other group.
Playing rooted_between(CollectiveCall& call, std::uint64_t bytes) {
  Ring ring = call.ring();
  const bool gathers = call.kind() == Collective::gather || call.kind() == Collective::gatherv;
  if (!call.root_is_ours()) {
    if (gathers)
      ring.send_to(other(call, call.root()), bytes);
    else
      ring.receive_from(other(call, call.root()));
  } else if (call.rank() == call.root()) {
    for (std::uint32_t i = 0; i < call.others().size(); ++i) {
      if (gathers)
        ring.receive_from(other(call, i));
      else
        ring.send_to(other(call, i), i < call.list().size() ? call.list()[i] : call.bytes());
    }
  }
  co_await ring.all();
}

Playing allgather_between(CollectiveCall& call, std::uint64_t bytes) {
  co_await by_messages(call.ring(), {Collective::gatherv, bytes});
  co_await exchange_and_share(call, bytes * call.own().size());
}

Playing alltoall_between(CollectiveCall& call) {
  Ring ring = call.ring();
  const std::uint32_t ranks = call.others().size();
  for (std::uint32_t i = 0; i < ranks; ++i) ring.receive_from(other(call, i));
  for (std::uint32_t i = 0; i < ranks; ++i) {
    const std::uint32_t to = (call.rank() + i) % ranks;
    ring.send_to(other(call, to), to < call.list().size() ? call.list()[to] : call.bytes());
  }
  co_await ring.all();
}

Playing reduce_between(CollectiveCall& call) {
  Ring ring = call.ring();
  if (call.root_is_ours()) {
    if (call.rank() == call.root()) ring.receive_from(other(call, 0));
    co_await ring.all();
    co_return;
  }
  co_await by_messages(ring, {Collective::reduce, call.bytes()});
  if (leads(call)) ring.send_to(other(call, call.root()), call.bytes());
  co_await ring.all();
}

Playing allreduce_between(CollectiveCall& call) {
  co_await by_messages(call.ring(), {Collective::reduce, call.bytes()});
  co_await exchange_and_share(call, call.bytes());
}

Playing reduce_scatter_between(CollectiveCall& call, std::uint64_t total) {
  Ring ring = call.ring();
  co_await by_messages(ring, {Collective::reduce, total});
  if (leads(call)) {
    ring.receive_from(other(call, 0));
    ring.send_to(other(call, 0), total);
    co_await ring.all();
  }
  co_await by_messages(ring, {Collective::scatterv, total / call.own().size(), 0, call.list()});
}

using trace::Collective;

/// Sends from the leader at `place` of its node to the others there.
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

Playing play_between(CollectiveCall& call) {
  std::uint64_t sum = 0;
  for (const std::uint64_t bytes : call.list()) sum += bytes;
  const std::uint64_t own = call.list().empty() ? call.bytes() : sum;
  switch (call.kind()) {
    case Collective::barrier:
    case Collective::create_comm:
      return barrier_between(call);
    case Collective::bcast:
      return bcast_between(call);
    case Collective::gather:
    case Collective::gatherv:
    case Collective::scatter:
    case Collective::scatterv:
      return rooted_between(call, own);
    case Collective::allgather:
    case Collective::allgatherv:
      return allgather_between(call, call.bytes());
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return alltoall_between(call);
    case Collective::reduce:
      return reduce_between(call);
    case Collective::allreduce:
      return allreduce_between(call);
    case Collective::reduce_scatter_block:
    case Collective::reduce_scatter:
      return reduce_scatter_between(call, own);
    default:
      throw trace::TraceError("a prefix reduction on an intercommunicator, which MPI does not have");
  }
}

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
    } else if (round.one != kNone) {
      co_await by_messages(call.first_leaders(),
                           {Collective::gather, of_node, static_cast<int>(call.node_of_leader(round.one))});
    } else {
      co_await by_messages(call.first_leaders(), {Collective::allgather, of_node});
    }
  }
  if (round.one == kNone || call.node_of_leader(round.one) == call.node())
    co_await tell_node(node, combined ? round.longest : of_node * group.first_leaders().size(), 0);
}

}  // namespace skein::simulate
