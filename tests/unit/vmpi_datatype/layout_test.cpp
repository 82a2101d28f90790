// SPDX-License-Identifier: Apache-2.0
// Layouts are compact: their size depends on how irregular a type is, not on how many blocks it has.
#include <doctest/doctest.h>

#include <numeric>

#include "runtime/vmpi/datatype/packer.hpp"
#include "tests/unit/vmpi_datatype/counting_memory.hpp"
#include "tests/unit/vmpi_datatype/type_pair.hpp"

using namespace skein::vmpi;

namespace {

std::pmr::memory_resource& memory() { return *std::pmr::new_delete_resource(); }
const Datatype& named(MPI_Datatype handle) { return *predefined_datatype(handle); }

}  // namespace

TEST_CASE("layout: a vector of a million blocks is one node") {
  CountingMemory counted;
  Datatype* column = nullptr;
  REQUIRE(make_vector({counted}, 1'000'000, 1, 100, named(MPI_DOUBLE), &column) == MPI_SUCCESS);
  column->commit();
  CHECK(column->layout().nodes.size() == 1);
  CHECK(column->layout().table.empty());
  CHECK(counted.bytes() < 1024);
  column->release();
}

TEST_CASE("layout: a million listed blocks at a constant distance are one node") {
  std::vector<int> at(1'000'000);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<int>(7 * i);
  const Owned type = made([&](Datatype** out) {
    return make_indexed_block({memory()}, 1'000'000, 2, at.data(), named(MPI_INT), out);
  });
  CHECK(type->layout().nodes.size() == 1);
  CHECK(type->layout().table.empty());
}

TEST_CASE("layout: equal pieces at irregular places share their node") {
  const Owned inner =
      made([](Datatype** out) { return make_vector({memory()}, 5, 1, 2, named(MPI_INT), out); });
  std::vector<MPI_Aint> at;
  for (MPI_Aint i = 0; i < 1000; ++i) at.push_back(i * i * 64);
  const Owned type =
      made([&](Datatype** out) { return make_hindexed_block({memory()}, 1000, 3, at.data(), *inner, out); });
  CHECK(type->layout().nodes.size() <= 4);
  CHECK(type->layout().table.size() == 1000);
}

TEST_CASE("layout: what is contiguous is one block, however it is made") {
  const Owned row = made([](Datatype** out) { return make_contiguous({memory()}, 10, named(MPI_INT), out); });
  CHECK(row->dense());
  const Owned vector =
      made([](Datatype** out) { return make_vector({memory()}, 10, 3, 3, named(MPI_INT), out); });
  CHECK(vector->dense());
  const Owned rows = made([&](Datatype** out) { return make_hvector({memory()}, 7, 2, 80, *row, out); });
  CHECK(rows->dense());
  const int lengths[] = {2, 3, 1}, at[] = {0, 2, 5};
  const Owned indexed =
      made([&](Datatype** out) { return make_indexed({memory()}, 3, lengths, at, named(MPI_DOUBLE), out); });
  CHECK(indexed->dense());
  const int ones[] = {1, 1, 1};
  const MPI_Aint offsets[] = {0, 8, 12};
  const Datatype* const types[] = {&named(MPI_DOUBLE), &named(MPI_INT), &named(MPI_FLOAT)};
  const Owned fields =
      made([&](Datatype** out) { return make_struct({memory()}, 3, ones, offsets, types, out); });
  CHECK(fields->dense());
  const int whole[] = {4, 6}, none[] = {0, 0};
  const Owned array = made([&](Datatype** out) {
    return make_subarray({memory()}, 2, whole, whole, none, MPI_ORDER_C, named(MPI_INT), out);
  });
  CHECK(array->dense());
  CHECK(array->size() == 96);
}

TEST_CASE("layout: padding makes a type contiguous, but not dense") {
  const int ones[] = {1, 1};
  const MPI_Aint offsets[] = {0, 8};
  const Datatype* const types[] = {&named(MPI_DOUBLE), &named(MPI_INT)};
  const Owned type =
      made([&](Datatype** out) { return make_struct({memory()}, 2, ones, offsets, types, out); });
  CHECK(type->contiguous());
  CHECK_FALSE(type->dense());
  std::byte buffer[64];
  CHECK(contiguous_data(buffer, 1, *type) == buffer);
  CHECK(contiguous_data(buffer, 2, *type) == nullptr);
  CHECK(contiguous_data(buffer, 0, *type) == nullptr);
}

TEST_CASE("layout: equal loops side by side are one loop") {
  const Owned pairs =
      made([](Datatype** out) { return make_vector({memory()}, 8, 1, 2, named(MPI_INT), out); });
  const Owned padded = made([&](Datatype** out) { return make_resized({memory()}, 0, 64, *pairs, out); });
  const Owned all = made([&](Datatype** out) { return make_contiguous({memory()}, 100, *padded, out); });
  const Layout::Node& root = all->layout().nodes[static_cast<std::size_t>(all->layout().root.node)];
  CHECK(root.kind == Layout::Kind::loop);
  CHECK(root.count == 800);
  CHECK(root.stride == 8);
  CHECK(root.child < 0);
}

TEST_CASE("pack: a message cut at every two places comes out whole") {
  // A loop over a list of unequal blocks and a nested vector: all kinds of nodes, cut at each byte.
  const int lengths[] = {1, 3, 2}, at[] = {0, 2, 9};
  const Owned blocks =
      made([&](Datatype** out) { return make_indexed({memory()}, 3, lengths, at, named(MPI_SHORT), out); });
  const int places[] = {0, 3, 4};
  const Owned scattered =
      made([&](Datatype** out) { return make_indexed_block({memory()}, 3, 1, places, named(MPI_INT), out); });
  const int counts[] = {2, 2, 1};
  const MPI_Aint offsets[] = {0, 64, 120};
  const Datatype* const types[] = {blocks.get(), scattered.get(), &named(MPI_CHAR)};
  const Owned type =
      made([&](Datatype** out) { return make_struct({memory()}, 3, counts, offsets, types, out); });

  std::vector<std::byte> user(static_cast<std::size_t>(2 * type->extent()));
  for (std::size_t i = 0; i < user.size(); ++i) user[i] = static_cast<std::byte>(i * 37 + 11);
  const std::int64_t total = 2 * type->size();
  std::vector<std::byte> whole(static_cast<std::size_t>(total));
  pack(user.data(), 2, *type, whole.data());

  for (std::int64_t a = 0; a <= total; ++a)
    for (std::int64_t b = a; b <= total; ++b) {
      std::vector<std::byte> stream(whole.size()), back(user.size()), expected(user.size());
      Packer packer(user.data(), 2, *type);
      Unpacker unpacker(back.data(), 2, *type);
      for (const std::int64_t end : {a, b, total}) {
        const std::int64_t from = packer.position();
        REQUIRE(packer.next(stream.data() + from, end - from) == end - from);
        REQUIRE(unpacker.next(stream.data() + from, end - from) == end - from);
      }
      REQUIRE(packer.done());
      REQUIRE(stream == whole);
      unpack(expected.data(), 2, *type, whole.data(), total);
      REQUIRE(back == expected);
    }
}

TEST_CASE("pack: absolute displacements work from a null buffer") {
  int first = 17;
  double second = 2.5;
  const int ones[] = {1, 1};
  const MPI_Aint addresses[] = {reinterpret_cast<MPI_Aint>(&first), reinterpret_cast<MPI_Aint>(&second)};
  const Datatype* const types[] = {&named(MPI_INT), &named(MPI_DOUBLE)};
  const Owned type =
      made([&](Datatype** out) { return make_struct({memory()}, 2, ones, addresses, types, out); });
  std::byte stream[12];
  REQUIRE(pack(MPI_BOTTOM, 1, *type, stream) == 12);
  first = 0;
  second = 0;
  REQUIRE(unpack(MPI_BOTTOM, 1, *type, stream, 12) == 12);
  CHECK(first == 17);
  CHECK(second == 2.5);
}
