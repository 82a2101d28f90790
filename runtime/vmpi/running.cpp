// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/running.hpp"

#include <new>

#include "runtime/base/log.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/vmpi/check/check.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/tying.hpp"

namespace skein::vmpi {

void create_rank_state(Rank& rank) {
  auto* const state = new (rank.memory.allocate(sizeof(RankState), alignof(RankState))) RankState(rank);
  rank.mpi = state;
  state->began = net::job_seconds();
  if (settings.checking) state->checks = new_checks(*state);
  state->own_world = make_comm(*state, make_regular_group(*state, 0, 1, job_ranks.count), 0);
  state->own_world->handle = MPI_COMM_WORLD;
  state->own_world->name = "MPI_COMM_WORLD";
  state->own_self = make_comm(*state, make_regular_group(*state, rank.id, 1, 1), 1);
  state->own_self->handle = MPI_COMM_SELF;
  state->own_self->name = "MPI_COMM_SELF";
}

void begin_running(RankState& state) {
  state.stage = state.world_stage = MpiStage::running;
  state.world = state.own_world;
  state.self = state.own_self;
}

void end_running(RankState& state) {
  state.world_stage = MpiStage::finalized;
  state.world = nullptr;
  state.self = nullptr;
  stop_if_unused(state);
}

void stop_if_unused(RankState& state) {
  if (state.world_stage == MpiStage::running || state.sessions.size() > 0) return;
  if (settings.checking) check_leaks(state);
  state.stage = state.world_stage;
  untie_all(state);
  state.comms = CommTable(&state.memory);
  state.requests = RequestTable(state.memory);
}

/// Explains to a program that asks for MPI_THREAD_MULTIPLE why it is granted. On rank 0 only.
void tell_of_thread_level(const Rank& rank, int asked) {
  if (asked != MPI_THREAD_MULTIPLE || rank.id != 0) return;
  SKEIN_WARN(
      "MPI_THREAD_MULTIPLE is granted, but a rank has one thread and can start no other, so that no two of "
      "its calls overlap");
}

}  // namespace skein::vmpi
