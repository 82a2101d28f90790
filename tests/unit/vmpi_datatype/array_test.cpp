// SPDX-License-Identifier: Apache-2.0
// Compares subarrays and distributed arrays with the elements that the standard's definitions give to a
// process: the test asks for the owner of each element of the array.
#include <doctest/doctest.h>

#include <array>

#include "runtime/vmpi/datatype/packer.hpp"
#include "tests/unit/vmpi_datatype/type_pair.hpp"

using namespace skein::vmpi;

namespace {

std::pmr::memory_resource& memory() { return *std::pmr::new_delete_resource(); }

using Index = std::vector<int>;

/// Visits all indices of an array in the order of its memory.
template <class Visit>
void for_each_index(const std::vector<int>& sizes, int order, Visit&& visit) {
  const std::size_t n = sizes.size();
  Index index(n, 0);
  int total = 1;
  for (int s : sizes) total *= s;
  for (int place = 0; place < total; ++place) {
    int rest = place;
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t d = order == MPI_ORDER_C ? n - 1 - k : k;
      index[d] = rest % sizes[d];
      rest /= sizes[d];
    }
    visit(index, place);
  }
}

/// Returns the places of the type's elements, by packing an array whose element i holds i.
std::vector<int> places(const Datatype& type, int elements) {
  std::vector<int> array(static_cast<std::size_t>(elements));
  for (int i = 0; i < elements; ++i) array[static_cast<std::size_t>(i)] = i;
  std::vector<int> packed(static_cast<std::size_t>(type.size()) / sizeof(int));
  pack(array.data(), 1, type, packed.data());
  return packed;
}

int product(const std::vector<int>& sizes) {
  int total = 1;
  for (int s : sizes) total *= s;
  return total;
}

/// Returns the process coordinate that owns an index of a dimension, by the definition of the distributions.
int owner(int index, int length, int distribution, int argument, int processes) {
  switch (distribution) {
    case MPI_DISTRIBUTE_BLOCK: {
      const int block =
          argument == MPI_DISTRIBUTE_DFLT_DARG ? (length + processes - 1) / processes : argument;
      return index / block;
    }
    case MPI_DISTRIBUTE_CYCLIC: {
      const int block = argument == MPI_DISTRIBUTE_DFLT_DARG ? 1 : argument;
      return index / block % processes;
    }
    default:
      return 0;
  }
}

}  // namespace

TEST_CASE("subarray: its elements are those inside of the box, in the order of memory") {
  RandomTypes random(11, memory());
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<std::size_t>(random.number(1, 4));
    std::vector<int> sizes, subsizes, starts;
    for (std::size_t d = 0; d < n; ++d) {
      sizes.push_back(static_cast<int>(random.number(1, 6)));
      subsizes.push_back(static_cast<int>(random.number(1, sizes[d])));
      starts.push_back(static_cast<int>(random.number(0, sizes[d] - subsizes[d])));
    }
    const int order = random.number(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    const Owned type = made([&](Datatype** out) {
      return make_subarray({memory()}, static_cast<int>(n), sizes.data(), subsizes.data(), starts.data(),
                           order, *predefined_datatype(MPI_INT), out);
    });
    std::vector<int> expected;
    for_each_index(sizes, order, [&](const Index& index, int place) {
      for (std::size_t d = 0; d < n; ++d)
        if (index[d] < starts[d] || index[d] >= starts[d] + subsizes[d]) return;
      expected.push_back(place);
    });
    REQUIRE(type->lb() == 0);
    REQUIRE(type->extent() == product(sizes) * 4);
    REQUIRE(places(*type, product(sizes)) == expected);
  }
}

TEST_CASE("darray: every process has its elements, and all processes together each element once") {
  RandomTypes random(12, memory());
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<std::size_t>(random.number(1, 3));
    std::vector<int> sizes, distributions, arguments, grid;
    for (std::size_t d = 0; d < n; ++d) {
      const int length = static_cast<int>(random.number(1, 12));
      int processes = static_cast<int>(random.number(1, 4));
      int argument = MPI_DISTRIBUTE_DFLT_DARG;
      const int choice = static_cast<int>(random.number(0, 4));
      if (choice == 0) processes = 1;
      if (choice == 2)
        argument = (length + processes - 1) / processes + static_cast<int>(random.number(0, 2));
      if (choice == 4) argument = static_cast<int>(random.number(1, 4));
      sizes.push_back(length);
      grid.push_back(processes);
      arguments.push_back(argument);
      distributions.push_back(choice == 0   ? MPI_DISTRIBUTE_NONE
                              : choice <= 2 ? MPI_DISTRIBUTE_BLOCK
                                            : MPI_DISTRIBUTE_CYCLIC);
    }
    const int order = random.number(0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    const int processes = product(grid);
    std::vector<int> seen(static_cast<std::size_t>(product(sizes)), 0);
    for (int rank = 0; rank < processes; ++rank) {
      const Owned type = made([&](Datatype** out) {
        return make_darray({memory()}, processes, rank, static_cast<int>(n), sizes.data(),
                           distributions.data(), arguments.data(), grid.data(), order,
                           *predefined_datatype(MPI_INT), out);
      });
      std::vector<int> expected;
      for_each_index(sizes, order, [&](const Index& index, int place) {
        int owning_rank = 0;  // row-major on the process grid
        for (std::size_t d = 0; d < n; ++d)
          owning_rank =
              owning_rank * grid[d] + owner(index[d], sizes[d], distributions[d], arguments[d], grid[d]);
        if (owning_rank == rank) expected.push_back(place);
      });
      REQUIRE(type->extent() == product(sizes) * 4);
      const std::vector<int> ours = places(*type, product(sizes));
      REQUIRE(ours == expected);
      for (int place : ours) ++seen[static_cast<std::size_t>(place)];
    }
    for (int times : seen) REQUIRE(times == 1);
  }
}

TEST_CASE("subarray, darray: arguments that do not fit are refused") {
  Datatype* out = nullptr;
  const Datatype& old = *predefined_datatype(MPI_INT);
  const auto subarray = [&](int n, std::array<int, 2> sizes, std::array<int, 2> sub, std::array<int, 2> at,
                            int order) {
    return make_subarray({memory()}, n, sizes.data(), sub.data(), at.data(), order, old, &out);
  };
  CHECK(subarray(0, {4, 4}, {2, 2}, {0, 0}, MPI_ORDER_C) == MPI_ERR_ARG);
  CHECK(subarray(2, {4, 4}, {2, 5}, {0, 0}, MPI_ORDER_C) == MPI_ERR_ARG);
  CHECK(subarray(2, {4, 4}, {2, 0}, {0, 0}, MPI_ORDER_C) == MPI_ERR_ARG);
  CHECK(subarray(2, {4, 4}, {2, 2}, {0, 3}, MPI_ORDER_C) == MPI_ERR_ARG);
  CHECK(subarray(2, {4, 4}, {2, 2}, {-1, 0}, MPI_ORDER_C) == MPI_ERR_ARG);
  CHECK(subarray(2, {4, 4}, {2, 2}, {0, 0}, 0) == MPI_ERR_ARG);

  const auto darray = [&](int processes, int rank, int distribution, int argument, int grid) {
    const int size = 10;
    return make_darray({memory()}, processes, rank, 1, &size, &distribution, &argument, &grid, MPI_ORDER_C,
                       old, &out);
  };
  CHECK(darray(4, 4, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, 4) == MPI_ERR_ARG);
  CHECK(darray(4, 0, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, 3) == MPI_ERR_ARG);
  CHECK(darray(4, 0, MPI_DISTRIBUTE_BLOCK, 2, 4) == MPI_ERR_ARG);  // 4 blocks of 2 do not hold 10 elements
  CHECK(darray(4, 0, MPI_DISTRIBUTE_CYCLIC, 0, 4) == MPI_ERR_ARG);
  CHECK(darray(4, 0, MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_DFLT_DARG, 4) == MPI_ERR_ARG);
  CHECK(darray(4, 0, 99, MPI_DISTRIBUTE_DFLT_DARG, 4) == MPI_ERR_ARG);
  CHECK(out == nullptr);
}
