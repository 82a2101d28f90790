// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/check/findings.hpp"

#include <doctest/doctest.h>

#include "runtime/base/texts.hpp"

using namespace skein::vmpi;
using Lines = std::vector<std::string>;

TEST_CASE("findings: whole numbers make no kind of their own, names and types do") {
  CHECK(kind_of("MPI_Recv on halo of 4: from its rank 12, tag 5, (16 bytes)") ==
        "MPI_Recv on halo of #: from its rank #, tag #, (# bytes)");
  CHECK(kind_of("MPI_INT32_T, level_2 and x7") == "MPI_INT32_T, level_2 and x7");
  CHECK(kind_of("") == "");
}

TEST_CASE("findings: ranks are told as ranges, with their number") {
  CHECK(skein::text_of_ranks({3}) == "rank 3");
  CHECK(skein::text_of_ranks({0, 1}) == "ranks 0-1 (2 in all)");
  CHECK(skein::text_of_ranks({0, 1, 2, 3, 7, 9, 10}) == "ranks 0-3, 7, 9-10 (7 in all)");
}

TEST_CASE("findings: what all ranks share is one line, mistakes before leaks") {
  Findings of_pes[2];
  for (int rank = 0; rank < 512; ++rank) {
    Findings& found = of_pes[rank % 2];
    CHECK(found.add(Weight::leak, rank, "1 group was not freed") == (rank < 2));
    CHECK(found.add(Weight::mistake, rank, "message from its rank " + std::to_string(511 - rank)) ==
          (rank < 2));
    if (rank == 7) CHECK(found.add(Weight::mistake, rank, "another"));
    if (rank == 7) CHECK_FALSE(found.add(Weight::mistake, rank, "another"));
  }
  CHECK(of_pes[0].any(Weight::leak));
  Findings all;
  CHECK_FALSE(all.any(Weight::leak));
  for (const Findings& found : of_pes) all.add_packed(found.pack());
  CHECK(all.any(Weight::mistake));
  CHECK(all.lines() == Lines{"rank 7, 2 times: another",
                             "ranks 0-511 (512 in all), others with other numbers: message from its rank 511",
                             "note: ranks 0-511 (512 in all): 1 group was not freed"});
}
