// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/meeting/local.hpp"

#include <algorithm>

#include "runtime/base/error.hpp"
#include "runtime/vmpi/coll/algorithms/movement.hpp"
#include "runtime/vmpi/coll/meeting/pe_exchange.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* kInLocalBcast = "in MPI_Bcast from root %d%b, for the other ranks of its communicator";

void hand_out(Assembly& assembly, const Comm& comm, int root, const Data& from, int error) {
  for (std::size_t i = 0; i < assembly.parts.size(); ++i) {
    Contribution* const part = assembly.parts[i];
    const Data& to = part->input;
    part->error = error;
    if (to.bytes != from.bytes) [[unlikely]]
      note_other_length_for(assembly, comm, i, root, from.bytes, to.bytes);
    if (&to != &from) copy(from, to, std::min(from.bytes, to.bytes));
  }
}

/// Broadcasts through the exchange. `here`: the data of the root, if it is on this PE.
void bcast_by_exchange(Assembly& assembly, const Comm& comm, PeExchange& exchange, int root,
                       const Data* here) {
  exchange_round(
      exchange, Direction::from(leader_of(assembly, comm, root)), assembly.parts[0]->input.bytes,
      here ? here->bytes : 0, assembly.reason(), [&](std::byte* block) { here->pack(0, block, here->bytes); },
      [&](const auto& block_of) {
        const std::span<const std::byte> block = block_of(leader_of(assembly, comm, root));
        if (block.empty()) [[unlikely]]  // the root's PE found it too long, and sends messages
          report_unlike(comm, root, format("sends more than %zu bytes", net::Exchange::longest_block),
                        comm.rank, format("expects %zu in MPI_Bcast", assembly.parts[0]->input.bytes));
        hand_out(assembly, comm, root, byte_data(const_cast<std::byte*>(block.data()), block.size()),
                 MPI_SUCCESS);
      });
  if (here) hand_out(assembly, comm, root, *here, MPI_SUCCESS);
}

/// Brings the root's data to the leader of each PE by messages.
void bcast_by_messages(Assembly& assembly, Comm& comm, int tag, int root, const Data* here) {
  const WaitReason waiting{kWaitingInBcast, {root, 0}};
  Channel channel(comm, tag, waiting);
  const Data& data = here ? *here : assembly.parts[0]->input;
  if (!assembly.alone()) {
    Comm& among = leaders_of(assembly, comm);
    const int from = leader_of(assembly, comm, root);
    if (!here || here == &assembly.parts[0]->input) {
      channel.note(run_bcast(among, tag, data, from, waiting));
    } else {
      // A rank's messages must be in its own memory.
      const Scratch copy(channel.state(), data.bytes);
      data.pack(0, copy.data(), data.bytes);
      channel.note(run_bcast(among, tag, byte_data(copy.data(), data.bytes), from, waiting));
    }
  }
  hand_out(assembly, comm, root, data, channel.error());
}

}  // namespace

void complete_barrier(Assembly& assembly, const Comm& comm, int tag, const char* waiting) {
  if (PeExchange* const exchange = exchange_of(assembly, comm, tag))
    meet(*exchange, assembly.reason());
  else if (!assembly.alone())
    (void)run_barrier(leaders_of(assembly, comm), tag, waiting);  // without data it does not fail
  dismiss(assembly);
}

int bcast_at(Assembly& assembly, Comm& comm, int tag, const Data& data, int root) {
  const AmongPes way = way_of(assembly, data.bytes, RoundKind::one_block);
  Contribution mine;
  mine.input = data;
  agree_on_root(assembly, comm, root);
  if (!assemble(assembly, comm, &mine, kInLocalBcast, way, root)) return mine.error;
  {
    const SharedWork shared(assembly, data.bytes * assembly.parts.size());
    const int root_index = index_of(assembly, root);
    const Data* const here =
        root_index < 0 ? nullptr : &assembly.parts[static_cast<std::size_t>(root_index)]->input;
    if (PeExchange* const exchange = exchange_of(assembly, comm, tag, {root}, way))
      bcast_by_exchange(assembly, comm, *exchange, root, here);
    else
      bcast_by_messages(assembly, comm, tag, root, here);
  }
  dismiss(assembly);
  return mine.error;
}

}  // namespace skein::vmpi
