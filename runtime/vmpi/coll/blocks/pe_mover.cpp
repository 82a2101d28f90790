// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/blocks/pe_mover.hpp"

#include <algorithm>

#include "runtime/vmpi/coll/algorithms/movement.hpp"

namespace skein::vmpi {

Direction direction_of(const Assembly& assembly, const Comm& comm, Pieces what, int root) {
  if (what == Pieces::from_root) return Direction::from(leader_of(assembly, comm, root));
  if (what == Pieces::to_root) return Direction::to(leader_of(assembly, comm, root));
  return Direction::among_all();
}

template <class OneSide>
PeMover<OneSide>::PeMover(Assembly& assembly, Comm& comm, int tag, const Moved<OneSide>& mine,
                          PeExchange* exchange, WaitReason reason)
    : assembly_(assembly),
      comm_(comm),
      leaders_(leaders_of(assembly, comm)),
      exchange_(exchange),
      reason_(reason),
      what_(mine.what),
      root_(mine.root),
      tag_(tag),
      direction_(direction_of(assembly, comm, mine.what, mine.root)),
      channel_(leaders_, tag, reason),
      receivers_{0, members()} {
  if (what_ != Pieces::to_root) return;
  const int at = index_of(assembly, root_);
  receivers_ = {static_cast<std::size_t>(std::max(at, 0)), static_cast<std::size_t>(at + 1)};
}

template <class OneSide>
void PeMover<OneSide>::note_other_length(std::size_t member, int from, std::size_t bytes, std::size_t room) {
  note_other_length_for(assembly_, comm_, member, from, bytes, room);
}

template <class OneSide>
void PeMover<OneSide>::note(int error) {
  for (Contribution* const part : assembly_.parts)
    if (part->error == MPI_SUCCESS) part->error = error;
}

template class PeMover<Side>;
template class PeMover<CountedSide>;

namespace {

/// Calls to_taker(p) for each leader to which this leader gives, and from_giver(p) for each that gives to it.
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
