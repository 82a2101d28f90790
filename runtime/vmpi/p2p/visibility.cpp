// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/visibility.hpp"

#include "runtime/arena/arena.hpp"
#include "runtime/net/transport.hpp"

namespace skein::vmpi {
namespace {
bool (*mapped_privately)(const void* address) = nullptr;
}

void set_private_mapping_test(bool (*test)(const void* address)) { mapped_privately = test; }

bool seen_from_here(int pe, const void* address) {
  return arena::backing == arena::Backing::node_shared && arena::in_arena(address) &&
         net::world.node_of[static_cast<std::size_t>(pe)] == net::world.node &&
         !(mapped_privately && mapped_privately(address));
}

}  // namespace skein::vmpi
