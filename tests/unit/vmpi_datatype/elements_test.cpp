// SPDX-License-Identifier: Apache-2.0
// MPI_Get_count and MPI_Get_elements in the cases that the standard names; random_types_test.cpp tests random
// types.
#include <doctest/doctest.h>

#include "runtime/vmpi/datatype/elements.hpp"
#include "tests/unit/vmpi_datatype/type_pair.hpp"

using namespace skein::vmpi;

namespace {
std::pmr::memory_resource& memory() { return *std::pmr::new_delete_resource(); }
}  // namespace

TEST_CASE("elements: the standard's example of receiving parts of a type of two reals") {
  // MPI 4.1, Example 5.12: TYPE_CONTIGUOUS(2, MPI_REAL); 2 reals are one, 3 reals are an undefined count.
  const Owned two = made(
      [](Datatype** out) { return make_contiguous({memory()}, 2, *predefined_datatype(MPI_REAL), out); });
  CHECK(count_instances(*two, 8) == 1);
  CHECK(count_elements(*two, 8) == 2);
  CHECK_FALSE(count_instances(*two, 12).has_value());
  CHECK(count_elements(*two, 12) == 3);
}

TEST_CASE("elements: a pair counts two, and a part of it one") {
  const Datatype& pair = *predefined_datatype(MPI_DOUBLE_INT);
  CHECK(count_elements(pair, 24) == 4);
  CHECK(count_elements(pair, 20) == 3);
  CHECK_FALSE(count_elements(pair, 10).has_value());
  CHECK(count_instances(pair, 24) == 2);
}

TEST_CASE("elements: types without data hold messages without data only") {
  const Owned none =
      made([](Datatype** out) { return make_contiguous({memory()}, 0, *predefined_datatype(MPI_INT), out); });
  CHECK(count_instances(*none, 0) == 0);
  CHECK_FALSE(count_instances(*none, 4).has_value());
  CHECK(bytes_of_elements(*none, 0) == 0);
  CHECK_FALSE(bytes_of_elements(*none, 1).has_value());
}

TEST_CASE("elements: a huge type is counted without walking it") {
  const int ones[] = {1, 1};
  const MPI_Aint at[] = {0, 8};
  const Datatype* const types[] = {predefined_datatype(MPI_DOUBLE), predefined_datatype(MPI_INT)};
  const Owned record = made([&](Datatype** out) { return make_struct({memory()}, 2, ones, at, types, out); });
  const Owned many =
      made([&](Datatype** out) { return make_contiguous({memory()}, std::int64_t{1} << 40, *record, out); });
  const std::int64_t whole = std::int64_t{1} << 39;
  CHECK(count_elements(*many, whole * 12) == 2 * whole);
  CHECK(count_elements(*many, whole * 12 + 8) == 2 * whole + 1);
  CHECK_FALSE(count_elements(*many, whole * 12 + 4).has_value());
}
