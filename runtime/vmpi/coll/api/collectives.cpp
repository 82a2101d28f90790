// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/api/collectives.hpp"

#include <cstring>

#include "lb/collectives/allgather.hpp"
#include "runtime/rank/end_job.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/coll/algorithms/movement.hpp"
#include "runtime/vmpi/coll/api/consistency.hpp"
#include "runtime/vmpi/coll/meeting/local.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* kInFinalize = "in MPI_Finalize, for the other ranks";
constexpr const char* kInFinalizeFor = "in MPI_Finalize, for rank %d";

/// Ends the job if a rank has sent to this one in a collective call that this rank has not made: if roots
/// differ, messages go to ranks that do not wait for them, and no rank may notice. Communicators of sessions
/// are left out: a rank that has left MPI_Finalize may go on with them.
void check_all_received(const RankState& state, const Comm& world) {
  if (state.matching.unexpected_count() == 0) [[likely]]
    return;
  for (const Unexpected* message = state.matching.oldest_unexpected(); message;
       message = message->in_order.next) {
    const Envelope& envelope = message->envelope;
    if (!is_collective_context(envelope.context)) continue;
    const auto check = [&](const Comm& comm) {
      if (comm.session != MPI_SESSION_NULL || comm.collective_context() != envelope.context) return;
      end_job_plainly(
          state.rank, 1,
          "mismatched collectives on communicator %s of %d: its rank %d has sent %zu bytes to its rank %d in "
          "%s, where that receives nothing of it: their calls or roots differ; --check says "
          "which",
          comm.name.c_str(), comm.size(), envelope.source, static_cast<std::size_t>(envelope.bytes),
          comm.rank,
          envelope.type != 0 && !settings.checking ? text_of_short(envelope.type).c_str()
                                                   : "a collective call");
    };
    check(world);
    state.comms.for_each(check);
  }
}

}  // namespace

void wait_for_finalize(Comm& world) {
  const int tag = next_collective_tag(world);
  check_consistency(world, tag, "MPI_Finalize", {});
  if (Assembly* const assembly = assembly_for(world, 0))
    barrier_at(*assembly, world, tag, kInFinalize, kInFinalizeFor);
  else
    (void)run_barrier(world, tag, kInFinalizeFor);  // messages without data do not fail
  (void)poll_in_passing();
  check_all_received(current_state(), world);
}

void allgather_bytes(Comm& comm, const void* mine, void* all, std::size_t bytes) {
  Channel channel(comm, next_collective_tag(comm), kInCreation);
  channel.says(trace::Collective::create_comm);
  const auto size = static_cast<std::size_t>(comm.size());
  // In the order own rank, own + 1, ...; turned to the order of ranks in the end. In the slot, as the rank
  // may move meanwhile.
  std::pmr::memory_resource& memory = current_state().memory;
  auto* const blocks = static_cast<std::byte*>(memory.allocate(size * bytes + 1));
  memcpy(blocks, mine, bytes);
  collectives::double_the_pieces(
      channel, [&](int, int count) { return static_cast<std::size_t>(count) * bytes; },
      [&](std::size_t begin, std::size_t length) { return byte_data(blocks + begin, length); });
  const auto rank = static_cast<std::size_t>(comm.rank);
  memcpy(static_cast<std::byte*>(all) + rank * bytes, blocks, (size - rank) * bytes);
  memcpy(all, blocks + (size - rank) * bytes, rank * bytes);
  memory.deallocate(blocks, size * bytes + 1);
}

}  // namespace skein::vmpi
