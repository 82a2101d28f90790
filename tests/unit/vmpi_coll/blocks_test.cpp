// SPDX-License-Identifier: Apache-2.0
// Where each rank's piece of a collective's buffer lies (MPI 4.1, sections 6.5 and 6.8), by hand.
#include <doctest/doctest.h>

#include <vector>

#include "runtime/vmpi/coll/blocks/blocks.hpp"
#include "runtime/vmpi/datatype/construct.hpp"

using namespace skein::vmpi;

namespace {
const Datatype& named(MPI_Datatype handle) { return *predefined_datatype(handle); }
}  // namespace

TEST_CASE("Blocks: equal pieces lie side by side") {
  std::vector<double> buffer(12);
  Blocks blocks;
  blocks.buffer = buffer.data();
  blocks.type = &named(MPI_DOUBLE);
  blocks.count = 3;
  for (int rank = 0; rank < 4; ++rank) {
    CHECK(blocks[rank].buffer == buffer.data() + 3 * rank);
    CHECK(blocks[rank].bytes == 24);
  }
  CHECK(blocks.total(4) == 96);
}

TEST_CASE("Blocks: counts and displacements of either width are in extents of the type") {
  std::vector<int> buffer(100);
  const int narrow_counts[] = {2, 0, 5}, narrow_starts[] = {10, 99, 0};
  const std::int64_t wide_counts[] = {2, 0, 5}, wide_starts[] = {10, 99, 0};
  for (const bool wide : {false, true}) {
    Blocks blocks;
    blocks.buffer = buffer.data();
    blocks.type = &named(MPI_INT);
    blocks.counts = wide ? Numbers(wide_counts) : Numbers(narrow_counts);
    blocks.displacements = wide ? Numbers(wide_starts) : Numbers(narrow_starts);
    CHECK(blocks[0].buffer == buffer.data() + 10);
    CHECK(blocks[0].bytes == 8);
    CHECK(blocks[1].bytes == 0);
    CHECK(blocks[2].buffer == buffer.data());
    CHECK(blocks[2].bytes == 20);
    CHECK(blocks.total(3) == 28);
  }
}

TEST_CASE("Blocks: with a type a rank, displacements are bytes") {
  std::vector<char> buffer(64);
  const int counts[] = {1, 3}, starts[] = {8, 40};
  const Datatype* const types[] = {&named(MPI_DOUBLE), &named(MPI_SHORT)};
  Blocks blocks;
  blocks.buffer = buffer.data();
  blocks.counts = Numbers(counts);
  blocks.displacements = Numbers(starts);
  blocks.types = types;
  CHECK(blocks[0].buffer == buffer.data() + 8);
  CHECK(blocks[0].bytes == 8);
  CHECK(blocks[1].buffer == buffer.data() + 40);
  CHECK(blocks[1].bytes == 6);
  CHECK(blocks.total(2) == 14);
}
