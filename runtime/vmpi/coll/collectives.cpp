// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/collectives.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/vmpi/coll/local.hpp"
#include "runtime/vmpi/coll/movement.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"

namespace skein::vmpi {

void barrier(Comm& comm) {
  const int tag = next_collective_tag(comm);
  if (MeetingPlace* const place = place_to_meet(comm))
    barrier_at(*place, comm, tag);
  else
    (void)run_barrier(comm, tag);  // messages without data do not fail
}

// Binomial tree.
void broadcast_bytes(Comm& comm, void* data, std::size_t bytes, int root) {
  const int tag = next_collective_tag(comm), n = comm.size();
  const int relative = (comm.rank - root + n) % n;
  int bit = 1;
  for (; bit < n; bit *= 2) {
    if (!(relative & bit)) continue;
    receive_bytes(comm, comm.collective_context(), (relative - bit + root) % n, tag, data, bytes);
    break;
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    if (relative + bit < n)
      send_bytes(comm, comm.collective_context(), (relative + bit + root) % n, tag, data, bytes);
  }
}

// Bruck et al. 1997: ceil(log2 n) rounds, blocks of all ranks after each.
void allgather_bytes(Comm& comm, const void* mine, void* all, std::size_t bytes) {
  const int tag = next_collective_tag(comm), n = comm.size();
  const auto size = static_cast<std::size_t>(n);
  // In the order own rank, own + 1, ...; turned to rank order in the end. In the slot: the rank may move
  // meanwhile.
  std::pmr::memory_resource& memory = current_state().memory;
  auto* const blocks = static_cast<std::byte*>(memory.allocate(size * bytes + 1));
  memcpy(blocks, mine, bytes);
  for (std::size_t have = 1; have < size; have *= 2) {
    const std::size_t count = std::min(have, size - have);
    const int distance = static_cast<int>(have);
    exchange_data(comm, comm.collective_context(), (comm.rank - distance + n) % n,
                  byte_data(blocks, count * bytes), (comm.rank + distance) % n,
                  byte_data(blocks + have * bytes, count * bytes), tag);
  }
  const auto rank = static_cast<std::size_t>(comm.rank);
  memcpy(static_cast<std::byte*>(all) + rank * bytes, blocks, (size - rank) * bytes);
  memcpy(all, blocks + (size - rank) * bytes, rank * bytes);
  memory.deallocate(blocks, size * bytes + 1);
}

}  // namespace skein::vmpi
