// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/blocks/reading.hpp"

#include "runtime/vmpi/coll/algorithms/movement.hpp"

namespace skein::vmpi {
namespace {

/// Calls to_taker(p) for all others for whom this leader has something, from_giver(p) for those who have
/// something for it.
template <class FromGiver, class ToTaker>
void for_each_pair(const Channel& leaders, Direction direction, FromGiver from_giver, ToTaker to_taker) {
  const int own = leaders.rank();
  for (int p = 0; p < leaders.size(); ++p) {
    if (p == own) continue;
    if (direction.gives(p) && direction.takes(own)) from_giver(p);
    if (direction.gives(own) && direction.takes(p)) to_taker(p);
  }
}

}  // namespace

void tell_places(Channel& leaders, Direction direction, const void* own, const void** of_leader) {
  Batch batch(leaders, 2 * static_cast<std::size_t>(leaders.size()));
  for_each_pair(
      leaders, direction, [&](int p) { batch.receive(p, byte_data(&of_leader[p], sizeof *of_leader)); },
      [&](int p) { batch.send(p, byte_data(&own, sizeof own)); });
  batch.wait();
}

void tell_read(Channel& channel, Comm& leaders, Direction direction, int tag, WaitReason reason) {
  if (direction.kind == Direction::Kind::among_all) {
    channel.note(run_barrier(leaders, tag, reason.format));
    return;
  }
  Batch batch(channel, 2 * static_cast<std::size_t>(channel.size()));
  for_each_pair(
      channel, direction, [&](int p) { batch.send(p, byte_data(nullptr, 0)); },
      [&](int p) { batch.receive(p, byte_data(nullptr, 0)); });
  batch.wait();
}

}  // namespace skein::vmpi
