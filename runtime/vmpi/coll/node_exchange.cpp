// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/node_exchange.hpp"

#include "runtime/net/transport.hpp"
#include "runtime/vmpi/coll/movement.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* in_first = "in a collective, for rank %d of its communicator";

}  // namespace

net::Exchange* exchange_of(Assembly& assembly, const Comm& comm, int tag) {
  if (assembly.exchange) return assembly.exchange.get();
  if (!assembly.may_exchange) return nullptr;
  Comm& leaders = leaders_of(assembly, comm);
  const auto pes = static_cast<std::size_t>(leaders.size());
  net::ExchangeAddress address;
  if (leaders.rank == 0) address = net::new_exchange(pes);
  (void)run_bcast(leaders, tag, byte_data(&address, sizeof address), 0);  // of one length: it does not fail
  if (address.at == net::ExchangeAddress::none) {
    assembly.may_exchange = false;
    return nullptr;
  }
  assembly.exchange =
      std::make_unique<net::JoinedExchange>(address, pes, static_cast<std::size_t>(leaders.rank));
  return assembly.exchange.get();
}

void detail::wake_others(const Assembly& assembly) {
  if (!net::world.shares_cores) return;
  for (const int leader : assembly.leader_group.world_ranks)
    if (const int pe = pe::pe_of(leader); pe != own_pe) net::wake(pe);
}

void meet(Assembly& assembly, net::Exchange& exchange, const char* reason) {
  const auto nothing = [](auto&&...) {};
  combine_all(assembly, exchange, 0, reason, nothing, nothing, nothing);
}

}  // namespace skein::vmpi
