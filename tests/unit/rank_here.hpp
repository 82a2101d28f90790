// SPDX-License-Identifier: Apache-2.0
// A rank for unit tests of the MPI library: its world has no other rank, and it never switches.
#pragma once

#include <doctest/doctest.h>
#include <sys/mman.h>

#include "runtime/vmpi/running.hpp"

namespace skein::test {

/// Makes the test's own stack count as a rank with memory, whose MPI functions return their errors.
class RankHere {
 public:
  RankHere()
      : memory_(static_cast<std::byte*>(
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    REQUIRE(memory_ != MAP_FAILED);
    rank_.heap.initialise(memory_, memory_ + bytes);
    vmpi::create_rank_state(rank_);
    vmpi::begin_running(*rank_.mpi);
    fiber::thread_block.rank = &rank_;
    // Errors that belong to no communicator go to the handler of MPI_COMM_SELF.
    for (const MPI_Comm comm : {MPI_COMM_SELF, MPI_COMM_WORLD})
      REQUIRE(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  }
  ~RankHere() {
    fiber::thread_block.rank = before_;
    munmap(memory_, bytes);
  }
  RankHere(const RankHere&) = delete;
  RankHere& operator=(const RankHere&) = delete;
  vmpi::RankState& state() { return *rank_.mpi; }

 private:
  static constexpr std::size_t bytes = 1 << 24;
  std::byte* memory_;
  Rank* before_ = fiber::thread_block.rank;
  Rank rank_;
};

}  // namespace skein::test
