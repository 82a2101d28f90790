// SPDX-License-Identifier: Apache-2.0
// Cases that random types (random_types_test.cpp) do not reach: errors, life times, sizes, examples of the
// standard.
#include <doctest/doctest.h>

#include "tests/unit/vmpi_datatype/counting_memory.hpp"
#include "tests/unit/vmpi_datatype/type_pair.hpp"

using namespace skein::vmpi;

namespace {

std::pmr::memory_resource& memory() { return *std::pmr::new_delete_resource(); }
const Datatype& named(MPI_Datatype handle) { return *predefined_datatype(handle); }
constexpr std::int64_t huge = std::int64_t{1} << 61;

}  // namespace

TEST_CASE("construct: negative counts and block lengths are refused") {
  Datatype* out = nullptr;
  const Datatype& old = named(MPI_INT);
  const int lengths[] = {1, -1}, displacements[] = {0, 4};
  const Datatype* const types[] = {&old, &old};
  CHECK(make_contiguous({memory()}, -1, old, &out) == MPI_ERR_COUNT);
  CHECK(make_vector({memory()}, -1, 1, 1, old, &out) == MPI_ERR_COUNT);
  CHECK(make_vector({memory()}, 1, -1, 1, old, &out) == MPI_ERR_ARG);
  CHECK(make_hvector({memory()}, 1, -1, 1, old, &out) == MPI_ERR_ARG);
  CHECK(make_indexed({memory()}, 2, lengths, displacements, old, &out) == MPI_ERR_ARG);
  CHECK(make_hindexed({memory()}, -2, lengths, displacements, old, &out) == MPI_ERR_COUNT);
  CHECK(make_indexed_block({memory()}, 2, -1, displacements, old, &out) == MPI_ERR_ARG);
  CHECK(make_hindexed_block({memory()}, -1, 1, displacements, old, &out) == MPI_ERR_COUNT);
  CHECK(make_struct({memory()}, 2, lengths, displacements, types, &out) == MPI_ERR_ARG);
  CHECK(out == nullptr);
}

TEST_CASE("construct: types beyond 2^62 bytes are refused, whatever overflows") {
  Datatype* out = nullptr;
  const Datatype& old = named(MPI_DOUBLE);
  const std::int64_t length[] = {1}, far_away[] = {INT64_MAX};
  CHECK(make_contiguous({memory()}, huge, old, &out) == MPI_ERR_ARG);
  CHECK(make_contiguous({memory()}, INT64_MAX, old, &out) == MPI_ERR_ARG);
  CHECK(make_vector({memory()}, 2, 1, INT64_MAX, old, &out) == MPI_ERR_ARG);
  CHECK(make_vector({memory()}, 2, 1, INT64_MIN, old, &out) == MPI_ERR_ARG);
  CHECK(make_hvector({memory()}, INT64_MAX, INT64_MAX, INT64_MAX, old, &out) == MPI_ERR_ARG);
  CHECK(make_indexed({memory()}, 1, length, far_away, old, &out) == MPI_ERR_ARG);
  CHECK(make_resized({memory()}, INT64_MAX, 1, old, &out) == MPI_ERR_ARG);
  CHECK(out == nullptr);
}

TEST_CASE("construct: counts of more than 2^31 give exact sizes") {
  const Owned column = made([](Datatype** out) {
    return make_vector({memory()}, std::int64_t{1} << 40, 3, 5, named(MPI_DOUBLE), out);
  });
  CHECK(column->size() == (std::int64_t{1} << 40) * 3 * 8);
  CHECK(column->extent() == (((std::int64_t{1} << 40) - 1) * 5 + 3) * 8);
  CHECK(column->signature().elements == (std::int64_t{1} << 40) * 3);
}

TEST_CASE("construct: a structure is padded to the alignment of its strictest member") {
  const int ones[] = {1, 1};
  const MPI_Aint at[] = {0, 8};
  const Datatype* const types[] = {&named(MPI_DOUBLE), &named(MPI_CHAR)};
  const Owned type = made([&](Datatype** out) { return make_struct({memory()}, 2, ones, at, types, out); });
  CHECK(type->extent() == 16);  // the standard's Example 5.1: {(double, 0), (char, 8)}
  CHECK(type->true_extent() == 9);
}

TEST_CASE("construct: explicit bounds survive nesting and win over the data") {
  const Owned wide =
      made([](Datatype** out) { return make_resized({memory()}, -3, 9, named(MPI_INT), out); });
  CHECK(wide->lb() == -3);
  CHECK(wide->extent() == 9);
  CHECK(wide->true_lb() == 0);
  // The standard's example of markers: contiguous(2, {(lb, -3), (int, 0), (ub, 6)}) has lb -3 and ub 15.
  const Owned two = made([&](Datatype** out) { return make_contiguous({memory()}, 2, *wide, out); });
  CHECK(two->lb() == -3);
  CHECK(two->extent() == 18);
  CHECK(two->true_extent() == 13);
}

TEST_CASE("construct: the markers of MPI-1 bound a type, each for itself") {
  const int ones[] = {1, 1};
  const MPI_Aint at[] = {10, 0};
  const Datatype* const lower[] = {&named(MPI_LB)};
  const Owned only_lb =
      made([&](Datatype** out) { return make_struct({memory()}, 1, ones, at, lower, out); });
  CHECK(only_lb->size() == 0);
  CHECK(only_lb->lb() == 10);
  CHECK(only_lb->extent() == -10);  // without data ub is 0
  const Datatype* const upper[] = {&named(MPI_UB), &named(MPI_CHAR)};
  const Owned padded = made([&](Datatype** out) { return make_struct({memory()}, 2, ones, at, upper, out); });
  CHECK(padded->size() == 1);
  CHECK(padded->lb() == 0);
  CHECK(padded->extent() == 10);
  CHECK(padded->signature().elements == 1);
}

TEST_CASE("construct: types without data have no extent") {
  const Owned none = made([](Datatype** out) { return make_contiguous({memory()}, 0, named(MPI_INT), out); });
  CHECK(none->size() == 0);
  CHECK(none->lb() == 0);
  CHECK(none->extent() == 0);
  CHECK(none->true_extent() == 0);
  const Owned sized = made([&](Datatype** out) { return make_resized({memory()}, 4, 12, *none, out); });
  const Owned three = made([&](Datatype** out) { return make_contiguous({memory()}, 3, *sized, out); });
  CHECK(three->size() == 0);
  CHECK(three->lb() == 4);
  CHECK(three->extent() == 36);
}

TEST_CASE("construct: a freed type lives while another is built on it, and all memory comes back") {
  CountingMemory counted;
  Datatype *inner = nullptr, *outer = nullptr, *copy = nullptr;
  REQUIRE(make_vector({counted}, 4, 1, 2, named(MPI_INT), &inner) == MPI_SUCCESS);
  REQUIRE(make_contiguous({counted}, 3, *inner, &outer) == MPI_SUCCESS);
  REQUIRE(make_dup({counted}, *outer, &copy) == MPI_SUCCESS);
  inner->release();
  CHECK(outer->construction().inner[0]->size() == 16);
  outer->release();
  CHECK(counted.blocks() > 0);
  copy->commit();
  CHECK(copy->size() == 48);
  copy->release();
  CHECK(counted.blocks() == 0);
}

TEST_CASE("construct: all memory of a failed construction comes back") {
  CountingMemory counted;
  Datatype* out = nullptr;
  const int sizes[] = {4, 4}, subsizes[] = {2, 2}, starts[] = {0, 3};
  CHECK(make_subarray({counted}, 2, sizes, subsizes, starts, MPI_ORDER_C, named(MPI_INT), &out) ==
        MPI_ERR_ARG);
  CHECK(make_contiguous({counted}, INT64_MAX, named(MPI_INT), &out) == MPI_ERR_ARG);
  CHECK(counted.blocks() == 0);
}

TEST_CASE("construct: a duplicate is committed exactly when its original is") {
  Datatype *original = nullptr, *before = nullptr, *after = nullptr;
  REQUIRE(make_vector({memory()}, 2, 1, 2, named(MPI_INT), &original) == MPI_SUCCESS);
  REQUIRE(make_dup({memory()}, *original, &before) == MPI_SUCCESS);
  original->commit();
  REQUIRE(make_dup({memory()}, *original, &after) == MPI_SUCCESS);
  CHECK_FALSE(before->committed());
  CHECK(after->committed());
  for (const Datatype* type : {original, before, after}) type->release();
}

TEST_CASE("construct: all that a type owns lies in the memory it is given") {
  std::vector<std::byte> slot(1 << 16);
  std::pmr::monotonic_buffer_resource in_slot(slot.data(), slot.size(), std::pmr::null_memory_resource());
  const int at[] = {0, 3, 7, 20};
  Datatype* type = nullptr;
  REQUIRE(make_indexed_block({in_slot}, 4, 2, at, named(MPI_INT), &type) == MPI_SUCCESS);
  type->commit();
  type->set_name("a name that is too long to be kept inside of the string object");
  for (const void* p :
       {static_cast<const void*>(type), static_cast<const void*>(type->construction().args.data()),
        static_cast<const void*>(type->construction().inner.data()),
        static_cast<const void*>(type->layout().nodes.data()),
        static_cast<const void*>(type->layout().table.data()),
        static_cast<const void*>(type->name().data())}) {
    CHECK(p >= slot.data());
    CHECK(p < slot.data() + slot.size());
  }
  type->release();
}
