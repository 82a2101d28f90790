// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/nearest.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace skein::lb;

TEST_CASE("nearest: edit distance of the textbook pairs") {
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("flaw", "lawn") == 2);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("same", "same") == 0);
}

TEST_CASE("nearest: a slip is recognised, a different word is not") {
  const std::vector<std::string_view> names{"--lb", "--lb-period", "--lb-report", "--seed"};
  CHECK(nearest_name("--lb-perod", names) == "--lb-period");
  CHECK(nearest_name("--sede", names) == "--seed");
  CHECK(nearest_name("--frobnicate", names).empty());
  CHECK(did_you_mean("--lb-perod", names) == " (did you mean --lb-period?)");
  CHECK(did_you_mean("--frobnicate", names).empty());
  CHECK(valid_names("--sed", names) ==
        " (did you mean --seed?); valid: --lb, --lb-period, --lb-report, --seed");
}

TEST_CASE("nearest: large letters are as near as small ones") {
  const std::vector<std::string_view> names{"MPI_Allgather", "MPI_Allreduce", "MPI_Bcast"};
  CHECK(nearest_name("MPI_AllReduce", names) == "MPI_Allreduce");
  CHECK(nearest_name("mpi_allreduce", names) == "MPI_Allreduce");
  CHECK(nearest_name("MPI_BCAST", names) == "MPI_Bcast");
  CHECK(nearest_name("Allreduce", names) == "MPI_Allreduce");
}
