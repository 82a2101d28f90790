// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/launcher.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/base/error.hpp"

using namespace skein::launch;

namespace {

std::optional<Launcher> find(std::vector<const char*> environment) { return find_launcher(environment); }

}  // namespace

TEST_CASE("launcher: each launcher is known by its variables") {
  const auto open_mpi = find({"HOME=/", "OMPI_COMM_WORLD_RANK=2", "OMPI_COMM_WORLD_SIZE=4", "PMIX_RANK=2"});
  REQUIRE(open_mpi);
  CHECK(open_mpi->size == 4);
  CHECK(open_mpi->rank == 2);
  const auto hydra = find({"PMI_RANK=1", "PMI_SIZE=3"});
  REQUIRE(hydra);
  CHECK(hydra->size == 3);
  CHECK(hydra->rank == 1);
  const auto slurm = find({"SLURM_PROCID=5", "SLURM_STEP_NUM_TASKS=8", "PMIX_RANK=5"});
  REQUIRE(slurm);
  CHECK(slurm->size == 8);
  CHECK(slurm->rank == 5);
  const auto pmix = find({"PMIX_RANK=6"});
  REQUIRE(pmix);
  CHECK(pmix->size == 0);
  CHECK(pmix->rank == 6);
}

TEST_CASE("launcher: a plain shell and a batch script are none") {
  CHECK_FALSE(find({"HOME=/", "PATH=/bin"}));
  CHECK_FALSE(find({"SLURM_JOB_ID=1", "SLURM_NTASKS=8", "SLURM_PROCID=0"}));
  CHECK_FALSE(find({"PMI_SIZE=", "PMI_RANK=x"}));
  CHECK_FALSE(find({"PMI_SIZES=2", "PMI_RANKS=1"}));
}

TEST_CASE("launcher: counts settle from the launcher, the cores, the options") {
  RunOptions run;
  settle_counts(run, std::nullopt, 6);
  CHECK(run.pes == 6);
  CHECK(run.ranks == 6);

  run = {};
  run.pes = 2;
  run.ranks = 16;
  settle_counts(run, std::nullopt, 6);
  CHECK(run.pes == 2);
  CHECK(run.ranks == 16);

  run = {};
  settle_counts(run, Launcher{"mpirun", 3, 0}, 6);
  CHECK(run.pes == 3);
  CHECK(run.ranks == 3);
}

TEST_CASE("launcher: -p and a launcher that differ are both named") {
  RunOptions run;
  run.pes = 2;
  CHECK_THROWS_WITH_AS(settle_counts(run, Launcher{"srun", 3, 0}, 6),
                       doctest::Contains("-p 2, but srun has started 3"), skein::Error);
  run.pes = 3;
  CHECK_NOTHROW(settle_counts(run, Launcher{"srun", 3, 0}, 6));
}

TEST_CASE("launcher: the world's size fills in what a silent launcher left open, and must agree otherwise") {
  RunOptions run;
  settle_counts(run, Launcher{"a PMIx launcher", 0, 0}, 6);
  CHECK(run.pes == 0);
  confirm_world_size(run, 5);
  CHECK(run.pes == 5);
  CHECK(run.ranks == 5);
  CHECK_NOTHROW(confirm_world_size(run, 5));
  CHECK_THROWS_WITH_AS(confirm_world_size(run, 1),
                       doctest::Contains("5 PEs were to start, but MPI_COMM_WORLD has 1"), skein::Error);
}
