// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/state.hpp"

#include "runtime/rank/end_job.hpp"

namespace skein::vmpi {

RanksOfJob job_ranks;

void set_rank_count(int ranks) {
  job_ranks.count = ranks;
  job_ranks.known_states.assign(static_cast<std::size_t>(ranks), nullptr);
}

RankState::RankState(Rank& owner) : requests(owner.memory), rank(owner), memory(owner.memory) {}

void refuse_outside(const ApiCall& call) {
  end_job(call.state.rank, 1, "%s was called %s", call.function,
          call.state.stage == MpiStage::before_init ? "before MPI_Init" : "after MPI_Finalize");
}

}  // namespace skein::vmpi
