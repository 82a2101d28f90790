// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/machines.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/checkpoint/refusal.hpp"

using namespace skein::checkpoint;
using Pes = std::vector<int>;

namespace {

/// Returns the manifest of a state with one rank in each file.
Manifest state_of(int files) {
  Manifest manifest;
  manifest.ranks = manifest.pes = files;
  for (int rank = 0; rank < files; ++rank) manifest.images.push_back({.rank = rank, .file = rank});
  return manifest;
}

}  // namespace

TEST_CASE("machines: they are numbered by their lowest PEs, and the last one's partner is the first") {
  const Machines machines = machines_of({"b", "a", "b", "c", "a", "b"});
  CHECK(machines.count() == 3);
  CHECK(machines.of_pe == Pes{0, 1, 0, 2, 1, 0});
  CHECK(machines.pes_of(0) == Pes{0, 2, 5});
  CHECK(machines.pes_of(1) == Pes{1, 4});
  CHECK(machines.names == std::vector<std::string>{"b", "a", "c"});
  CHECK(machines.partner_of(0) == 1);
  CHECK(machines.partner_of(2) == 0);
  Pes keepers;
  for (int pe = 0; pe < 6; ++pe)
    if (machines.is_keeper(pe)) keepers.push_back(pe);
  CHECK(keepers == Pes{0, 1, 3});
  Pes copiers;
  for (int pe = 0; pe < 6; ++pe) copiers.push_back(machines.copier_of(pe));
  CHECK(copiers == Pes{1, 3, 4, 0, 3, 1});
}

TEST_CASE("machines: with one folder PE 0 keeps it, and is its own partner") {
  const Machines machines = one_folder(3);
  CHECK(machines.count() == 1);
  CHECK(machines.partner_of(0) == 0);
  CHECK(machines.is_keeper(0));
  CHECK_FALSE(machines.is_keeper(2));
  CHECK(have_all(machines, 1));
}

TEST_CASE("machines: all but one in a row have all") {
  const Machines machines = machines_of({"a", "a", "b", "b", "c", "c", "d", "d"});
  for (const int pes : {8, 100, 7, 6, 5}) CHECK(have_all(machines, pes));
  for (const int pes : {4, 3, 2, 1}) CHECK_FALSE(have_all(machines, pes));
  CHECK(have_all(machines_of({"a", "b"}), 1));
}

TEST_CASE("machines: ranks begin where they are to, if their images are there, or evenly where they are") {
  const Machines machines = machines_of({"a", "a", "b"});
  // Files 0 and 1 were written on a and copied to b, the others on a machine that is gone, and copied to a.
  const std::vector<std::vector<bool>> has{{true, true, true, true}, {true, true, false, false}};
  Pes pe_of_rank{2, 0, 2, 2};
  place_by_images(state_of(4), machines, has, pe_of_rank);
  CHECK(pe_of_rank == Pes{2, 0, 1, 0});

  pe_of_rank = {0, 1, 1, 0};
  place_by_images(state_of(4), machines, has, pe_of_rank);
  CHECK(pe_of_rank == Pes{0, 1, 1, 0});
}

TEST_CASE("machines: an image that is nowhere is named") {
  const Machines machines = machines_of({"a", "b"});
  Pes pe_of_rank{0, 0, 0};
  const std::string said = refusal([&] {
    place_by_images(state_of(3), machines, {{true, true, false}, {true, false, false}}, pe_of_rank);
  });
  CHECK(said.find("image of rank 2") != said.npos);
}
