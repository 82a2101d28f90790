// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/state.hpp"

#include <new>

#include "runtime/vmpi/comm/comm.hpp"

namespace skein::vmpi {

int rank_count = 1;

RankState::RankState(Rank& owner) : rank(owner), memory(owner.memory) {}

void create_rank_state(Rank& rank) {
  auto* const state = new (rank.memory.allocate(sizeof(RankState), alignof(RankState))) RankState(rank);
  rank.mpi = state;
  state->world = make_comm(*state, make_regular_group(*state, 0, 1, rank_count), 0);
  state->world->handle = MPI_COMM_WORLD;
  state->world->name = "MPI_COMM_WORLD";
  state->self = make_comm(*state, make_regular_group(*state, rank.id, 1, 1), 1);
  state->self->handle = MPI_COMM_SELF;
  state->self->name = "MPI_COMM_SELF";
}

}  // namespace skein::vmpi
