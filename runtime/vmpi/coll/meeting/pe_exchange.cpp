// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/meeting/pe_exchange.hpp"

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/coll/algorithms/movement.hpp"

namespace skein::vmpi {
namespace {

/// Channels are few: communicators of fewer calls do without.
constexpr int kCallsWorthAChannel = 8;

std::vector<int> pes_of_leaders(const Assembly& assembly) {
  std::vector<int> pes;
  for (const int world_rank : assembly.leader_group.world_ranks) pes.push_back(pe::pe_of(world_rank));
  return pes;
}

/// Makes the exchange of an assembly on one node.
void make_on_node(Assembly& assembly, Comm& leaders, int tag) {
  const auto pes = static_cast<std::size_t>(leaders.size());
  net::ExchangeAddress address;
  if (leaders.rank == 0) address = net::new_exchange(pes);
  // All members have the same length, so it does not fail. Waits here count as waits in the program's
  // collective.
  (void)run_bcast(leaders, tag, byte_data(&address, sizeof address), 0, assembly.reason());
  if (address.at == net::ExchangeAddress::none) return;
  assembly.exchange = std::make_unique<PeExchange>();
  assembly.exchange->on_node.emplace(address, pes_of_leaders(assembly),
                                     static_cast<std::size_t>(leaders.rank));
}

/// The parts of an exchange across nodes, as the first PE of each node tells them the others.
struct Offer {
  int channel = net::NodeChannel::none;
  net::ExchangeAddress on_node;
};

/// Passes the offer from the first PE of this node, leader `first`, to its other PEs.
void tell_own_node(Channel& channel, const NodePlaces& places, int first, Offer& offer) {
  const Data data = byte_data(&offer, sizeof offer);
  if (channel.rank() != first) return channel.receive(first, data);
  for (int leader = 0; leader < channel.size(); ++leader)
    if (leader != first && places.of[static_cast<std::size_t>(leader)].node == net::world.node)
      channel.send(leader, data);
}

/// Gives back memory that was found on this node, but not on all.
void leave_unused(const Offer& offer, const NodePlaces& places) {
  if (offer.on_node.at == net::ExchangeAddress::none) return;
  const net::JoinedExchange left(offer.on_node, places.own_node.size(), 0);
}

void make_across(Assembly& assembly, Comm& leaders, int tag) {
  const NodePlaces& places = *assembly.across;
  Offer offer;
  if (own_pe == 0) offer.channel = net::NodeChannel::take_unused();
  // All members have the same length, so it does not fail.
  (void)run_bcast(leaders, tag, byte_data(&offer, sizeof offer), places.first[0], assembly.reason());
  if (offer.channel == net::NodeChannel::none) return;
  Channel channel(leaders, tag, assembly.reason());
  const int first = places.first[static_cast<std::size_t>(net::world.node)];
  if (leaders.rank == first) {
    bool has_memory = true;
    if (places.own_node.size() > 1) {
      offer.on_node = net::new_exchange(places.own_node.size());
      has_memory = offer.on_node.at != net::ExchangeAddress::none;
    }
    if (!do_all_nodes(offer.channel, has_memory, assembly.reason())) offer.channel = net::NodeChannel::none;
  }
  tell_own_node(channel, places, first, offer);
  if (offer.channel == net::NodeChannel::none) return leave_unused(offer, places);
  assembly.exchange = std::make_unique<PeExchange>();
  assembly.exchange->across.emplace(places, offer.channel, offer.on_node);
}

/// Makes the first exchange of an assembly, if it can have one.
[[gnu::noinline]] void make_exchange(Assembly& assembly, const Comm& comm, int tag) {
  if (!assembly.may_exchange) return;
  if (assembly.across && ++assembly.calls_without_channel < kCallsWorthAChannel) return;
  Comm& leaders = leaders_of(assembly, comm);
  if (assembly.across)
    make_across(assembly, leaders, tag);
  else
    make_on_node(assembly, leaders, tag);
  if (assembly.exchange)
    assembly.exchange->own = leaders.rank;
  else
    assembly.may_exchange = false;
}

}  // namespace

PeExchange* exchange_of(Assembly& assembly, const Comm& comm, int tag, Claim claim, AmongPes way) {
  if (assembly.alone()) return nullptr;
  if (!assembly.exchange && way == AmongPes::exchange) [[unlikely]]
    make_exchange(assembly, comm, tag);
  PeExchange* const exchange = assembly.exchange.get();
  if (!exchange) return nullptr;
  claim.purpose = assembly.purpose;
  if (exchange->on_node) [[likely]]
    exchange->on_node->begin(comm, word_of(claim));
  else
    exchange->across->begin(comm, word_of(claim));
  if (way == AmongPes::exchange) return exchange;
  // A round in which all PEs give nothing and none takes: a PE that exchanges blocks meanwhile learns the
  // claim.
  if (exchange->on_node)
    exchange_on_node(
        *exchange->on_node, Direction::to(-1), 0, assembly.reason(), [](std::byte*) {}, [](const auto&) {});
  return nullptr;
}

void meet(PeExchange& exchange, WaitReason reason) {
  if (exchange.on_node)
    wait_for_givers(*exchange.on_node, Direction::among_all(), reason);
  else
    exchange.across->meet(reason);
}

}  // namespace skein::vmpi
