// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/meeting/node_exchange.hpp"

#include "runtime/net/transport.hpp"

namespace skein::vmpi {

void detail::wake_takers(const NodeExchange& exchange, Direction direction) {
  if (!net::world.shares_cores()) return;
  for (std::size_t place = 0; place < exchange.pes(); ++place)
    if (place != exchange.place() && direction.takes(static_cast<int>(place)))
      net::wake(exchange.pe_at(place));
}

void wait_for_givers(NodeExchange& exchange, Direction direction, WaitReason reason) {
  exchange_on_node(
      exchange, direction, 0, reason, [](std::byte*) {},
      [&](const auto& block_of) {
        for (int place = 0; place < static_cast<int>(exchange.pes()); ++place)
          if (direction.gives(place)) (void)block_of(place);
        if (direction.kind == Direction::Kind::among_all) exchange.note_all_come();
      });
}

}  // namespace skein::vmpi
