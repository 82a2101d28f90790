// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/unit/vmpi_datatype/type_pair.hpp"

using namespace skein::vmpi;

namespace {

std::pmr::memory_resource& memory() { return *std::pmr::new_delete_resource(); }
const Datatype& named(MPI_Datatype handle) { return *predefined_datatype(handle); }

bool match(const Datatype& a, std::int64_t na, const Datatype& b, std::int64_t nb) {
  return signatures_match(a.signature(), na, b.signature(), nb);
}

Owned structure(std::vector<MPI_Datatype> handles, const std::vector<int>& lengths) {
  std::vector<const Datatype*> types;
  std::vector<MPI_Aint> at;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    types.push_back(predefined_datatype(handles[i]));
    at.push_back(static_cast<MPI_Aint>(100 * i));
  }
  return made([&](Datatype** out) {
    return make_struct({memory()}, static_cast<int>(types.size()), lengths.data(), at.data(), types.data(),
                       out);
  });
}

}  // namespace

TEST_CASE("signature: grouping and layout do not matter") {
  const Owned contiguous =
      made([](Datatype** out) { return make_contiguous({memory()}, 6, named(MPI_INT), out); });
  const Owned vector =
      made([](Datatype** out) { return make_vector({memory()}, 3, 2, 9, named(MPI_INT), out); });
  CHECK(match(*contiguous, 1, named(MPI_INT), 6));
  CHECK(match(*contiguous, 4, *vector, 4));
  CHECK_FALSE(match(*contiguous, 1, named(MPI_INT), 5));
  CHECK_FALSE(match(*contiguous, 1, named(MPI_FLOAT), 6));
}

TEST_CASE("signature: the order of the elements matters") {
  const Owned a = structure({MPI_INT, MPI_FLOAT}, {1, 1});
  const Owned b = structure({MPI_FLOAT, MPI_INT}, {1, 1});
  const Owned ababab =
      structure({MPI_INT, MPI_FLOAT, MPI_INT, MPI_FLOAT, MPI_INT, MPI_FLOAT}, {1, 1, 1, 1, 1, 1});
  CHECK_FALSE(match(*a, 1, *b, 1));
  CHECK(match(*a, 3, *ababab, 1));
  CHECK_FALSE(match(*b, 3, *ababab, 1));
}

TEST_CASE("signature: a pair is its two elements, and one machine type has one signature") {
  CHECK(match(named(MPI_DOUBLE_INT), 1, *structure({MPI_DOUBLE, MPI_INT}, {1, 1}), 1));
  CHECK(match(named(MPI_2INTEGER), 2, named(MPI_INT), 4));
  CHECK(match(named(MPI_INTEGER), 3, named(MPI_INT32_T), 3));
  CHECK(match(named(MPI_DOUBLE_PRECISION), 1, named(MPI_DOUBLE), 1));
  CHECK_FALSE(match(named(MPI_LOGICAL), 1, named(MPI_INTEGER), 1));
  CHECK_FALSE(match(named(MPI_INT), 1, named(MPI_UNSIGNED), 1));
}

TEST_CASE("signature: bytes and packed data match anything of their length") {
  CHECK(match(named(MPI_BYTE), 8, named(MPI_DOUBLE), 1));
  CHECK(match(named(MPI_PACKED), 8, named(MPI_INT), 2));
  CHECK_FALSE(match(named(MPI_BYTE), 7, named(MPI_DOUBLE), 1));
}

TEST_CASE("signature: nothing matches nothing only") {
  CHECK(match(named(MPI_INT), 0, named(MPI_DOUBLE), 0));
  CHECK_FALSE(match(named(MPI_INT), 0, named(MPI_DOUBLE), 1));
}
