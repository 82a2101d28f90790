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

TEST_CASE("launcher: the mode is chosen once it is known how many PEs there are") {
  // Four PEs took 8 s a point, and a decision 20 s; without balancing it would be half longer.
  char report[] = "/tmp/skein_mode_XXXXXX";
  const int file = mkstemp(report);
  REQUIRE(file >= 0);
  const std::string text =
      R"({"job":{"pes":4}}
{"step":1,"points":10,"busy_s":[120,80,60,60],"decide_s":20,"move_s":1,"imbalance_before_percent":50,"imbalance_after_percent":0}
)";
  REQUIRE(write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  close(file);
  const auto settled = [&](int pes, const std::string& lb, std::uint64_t period,
                           LbPeriod::Unit unit = LbPeriod::Unit::points) {
    RunOptions run;
    run.pes = pes;
    run.lb = lb;
    run.lb_model = "last";
    run.lb_period.count = period;
    run.lb_period.unit = unit;
    run.auto_mode = {.reports = {report}, .platform = ""};
    settle_counts(run, std::nullopt, 2);
    CHECK_FALSE(run.auto_mode);
    return run;
  };
  // 10 points on 64 PEs are 5 s inline, and 5.08 on 63. A decision of 20 s inline is lost time; lazily it
  // comes after the end, all steps are half longer: 7.6 s.
  const RunOptions lazy = settled(64, "scotch", 10);
  CHECK(lazy.lb_mode.is_lazy());
  CHECK(lazy.lb_mode.reserved_pes() == 1);
  CHECK(lazy.ranks == 63);
  CHECK(lazy.why_mode.find("lazy:pes=1: 10 steps take 7.62 s, inline 26 s, decoupled 26 s") == 0);
  // Two PEs need 16 s a point, one 32: 180 s, 341 s, 320 s and more.
  CHECK(settled(2, "scotch", 10).lb_mode.kind == skein::lb::Mode::Kind::inline_all);
  CHECK(settled(1, "scotch", 10).lb_mode.kind == skein::lb::Mode::Kind::inline_all);
  // Lazy jobs ask at every K-th sync point, and not after so many seconds.
  CHECK_FALSE(settled(64, "scotch", 10, LbPeriod::Unit::seconds).lb_mode.is_lazy());
  unlink(report);
  RunOptions nothing_known;
  nothing_known.pes = 8;
  nothing_known.auto_mode.emplace();
  settle_counts(nothing_known, std::nullopt, 2);
  CHECK(nothing_known.lb_mode.kind == skein::lb::Mode::Kind::inline_all);
  CHECK(nothing_known.advise_mode);
  CHECK(nothing_known.why_mode.find("nothing is known") != std::string::npos);
  RunOptions no_report = nothing_known;
  no_report.auto_mode = {.reports = {report}, .platform = ""};  // which has gone
  CHECK_THROWS_WITH_AS(settle_counts(no_report, std::nullopt, 2), doctest::Contains(report), skein::Error);
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
