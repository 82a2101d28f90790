// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/check/type_code.hpp"

#include <doctest/doctest.h>

#include "tests/unit/vmpi_datatype/type_pair.hpp"

using namespace skein::vmpi;

namespace {

std::pmr::memory_resource& memory() { return *std::pmr::new_delete_resource(); }
const Datatype& named(MPI_Datatype handle) { return *predefined_datatype(handle); }

Data data(const Datatype& type, MPI_Count count) {
  return {nullptr, count, &type, static_cast<std::size_t>(count * type.size()), nullptr};
}

/// Returns the type {int, `second`}.
Owned mixed(MPI_Datatype second) {
  const Datatype* const types[] = {&named(MPI_INT), &named(second)};
  const int lengths[] = {1, 1};
  const MPI_Aint at[] = {0, 8};
  return made([&](Datatype** out) { return make_struct({memory()}, 2, lengths, at, types, out); });
}

bool received(const Datatype& sent, MPI_Count sent_count, const Datatype& as, MPI_Count room) {
  const Data message = data(sent, sent_count);
  return fits(code_of(message), message.bytes, data(as, room));
}

}  // namespace

TEST_CASE("type code: elements of one type fit where the same are received, and are named") {
  CHECK(received(named(MPI_INT), 3, named(MPI_INT), 3));
  CHECK(received(named(MPI_INT), 3, named(MPI_INT), 100));
  CHECK(received(named(MPI_INT), 0, named(MPI_DOUBLE), 1));
  CHECK_FALSE(received(named(MPI_DOUBLE), 2, named(MPI_INT), 4));
  CHECK_FALSE(received(named(MPI_INT), 1, named(MPI_FLOAT), 1));
  CHECK(describe(code_of(data(named(MPI_DOUBLE), 2))) == "MPI_DOUBLE");
}

TEST_CASE("type code: names of one machine type are one") {
  CHECK(received(named(MPI_INT), 5, named(MPI_INT32_T), 5));
  CHECK(received(named(MPI_INTEGER), 5, named(MPI_INT), 5));
  CHECK_FALSE(received(named(MPI_INTEGER), 5, named(MPI_LOGICAL), 5));
}

TEST_CASE("type code: bytes fit everything, either way") {
  CHECK(received(named(MPI_BYTE), 16, named(MPI_DOUBLE), 2));
  CHECK(received(named(MPI_DOUBLE), 2, named(MPI_PACKED), 16));
}

TEST_CASE("type code: layout does not matter") {
  const Owned vector =
      made([](Datatype** out) { return make_vector({memory()}, 3, 2, 9, named(MPI_INT), out); });
  CHECK(received(*vector, 2, named(MPI_INT), 12));
  CHECK(received(named(MPI_INT), 7, *vector, 2));  // a whole instance and a part
  CHECK_FALSE(received(named(MPI_FLOAT), 7, *vector, 2));
  CHECK(describe(code_of(data(*vector, 2))) == "MPI_INT");
}

TEST_CASE("type code: elements of several types fit in their order") {
  const Owned right = mixed(MPI_DOUBLE), wrong = mixed(MPI_LONG);
  CHECK(received(*right, 3, *right, 5));
  CHECK_FALSE(received(*right, 3, *wrong, 3));
  CHECK_FALSE(received(named(MPI_INT), 3, *right, 1));  // has as many bytes
  CHECK(received(named(MPI_INT), 1, *right, 1));        // matches its first element
}

TEST_CASE("type code: a message that ends inside of an element fits nothing") {
  CHECK_FALSE(received(named(MPI_INT), 1, named(MPI_DOUBLE), 1));
  CHECK_FALSE(received(named(MPI_FLOAT), 3, named(MPI_DOUBLE), 4));
}
