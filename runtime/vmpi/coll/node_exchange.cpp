// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/node_exchange.hpp"

#include "runtime/net/transport.hpp"
#include "runtime/vmpi/coll/movement.hpp"

namespace skein::vmpi {

net::Exchange* exchange_of(Assembly& assembly, const Comm& comm, int tag, AmongPes way) {
  if (way == AmongPes::messages || assembly.alone()) return nullptr;
  if (assembly.exchange) return assembly.exchange.get();
  if (!assembly.may_exchange) return nullptr;
  Comm& leaders = leaders_of(assembly, comm);
  const auto pes = static_cast<std::size_t>(leaders.size());
  net::ExchangeAddress address;
  if (leaders.rank == 0) address = net::new_exchange(pes);
  // Of one length, so it does not fail. Who waits here waits in the collective that the program called.
  (void)run_bcast(leaders, tag, byte_data(&address, sizeof address), 0, assembly.purpose);
  if (address.at == net::ExchangeAddress::none) {
    assembly.may_exchange = false;
    return nullptr;
  }
  assembly.exchange =
      std::make_unique<net::JoinedExchange>(address, pes, static_cast<std::size_t>(leaders.rank));
  return assembly.exchange.get();
}

void detail::wake_takers(const Assembly& assembly, Direction direction) {
  if (!net::world.shares_cores) return;
  for (int leader = 0; leader < assembly.leader_group.size; ++leader) {
    if (!direction.takes(leader)) continue;
    const int pe = pe::pe_of(assembly.leader_group.world_ranks[static_cast<std::size_t>(leader)]);
    if (pe != own_pe) net::wake(pe);
  }
}

void wait_for_givers(Assembly& assembly, net::Exchange& exchange, Direction direction, const char* reason) {
  exchange_blocks(
      assembly, exchange, direction, 0, reason, [](std::byte*) {},
      [&](const auto& block_of) {
        for (int leader = 0; leader < assembly.leader_group.size; ++leader)
          if (direction.gives(leader)) (void)block_of(leader);
      });
}

}  // namespace skein::vmpi
