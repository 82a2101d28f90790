// SPDX-License-Identifier: Apache-2.0
// Sections of arrays by descriptors as gfortran makes them. The expected bytes are found by counting through
// the elements in array element order, byte by byte.
#include "runtime/vmpi/fortran/section.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "runtime/vmpi/datatype/construct.hpp"
#include "runtime/vmpi/datatype/typemap.hpp"

using namespace skein::vmpi;
using namespace skein::vmpi::fortran;
using Places = std::vector<std::int64_t>;

namespace {

std::pmr::memory_resource& memory() { return *std::pmr::new_delete_resource(); }

/// A dimension of a section a(first:last:step, ...): the number of its elements, and the distance between two
/// of them in elements of the array.
struct Count {
  std::int64_t extent, stride;
};
Descriptor descriptor_of(std::byte* base, std::size_t element, const std::vector<Count>& counts) {
  Descriptor d = {};
  d.base = base;
  d.element_bytes = element;
  d.span = static_cast<std::ptrdiff_t>(element);
  d.rank = static_cast<std::int8_t>(counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) d.dimensions[i] = {counts[i].stride, 1, counts[i].extent};
  return d;
}

/// Returns the place of each byte of the buffer that the section stands for.
Places bytes_of(const std::vector<Count>& counts, std::int64_t element) {
  std::int64_t elements = 1;
  for (const Count& c : counts) elements *= c.extent;
  Places places;
  for (std::int64_t i = 0; i < elements; ++i) {
    std::int64_t at = 0, rest = i;
    for (const Count& c : counts) {
      at += rest % c.extent * c.stride * element;
      rest /= c.extent;
    }
    for (std::int64_t b = 0; b < element; ++b) places.push_back(at + b);
  }
  return places;
}

/// Returns the place of each byte of the data of (count, type).
Places bytes_of(const Datatype& type, std::int64_t count) {
  Places places;
  for_each_run(type, 0, count, type.extent(), [&](const BasicType& basic, std::int64_t at, std::int64_t n) {
    for (std::int64_t b = 0; b < n * basic.size; ++b) places.push_back(at + b);
  });
  return places;
}

/// Checks that (count, type) in the section is the same as in the contiguous buffer.
void check_type(const std::vector<Count>& counts, std::int64_t element, const Datatype& type,
                std::int64_t count) {
  std::byte anywhere;
  const Section section(descriptor_of(&anywhere, static_cast<std::size_t>(element), counts));
  const Places all = bytes_of(counts, element), in_buffer = bytes_of(type, count);
  CHECK(section.bytes() == static_cast<std::int64_t>(all.size()));
  bool fits = true;
  for (const std::int64_t at : in_buffer) fits = fits && at >= 0 && at < section.bytes();
  const Reach reach = reach_of(section, count, type);
  CHECK((reach == Reach::beyond) == !fits);
  if (reach != Reach::section) return;
  Places expected;
  for (const std::int64_t at : in_buffer) expected.push_back(all[static_cast<std::size_t>(at)]);
  Datatype* made = nullptr;
  REQUIRE(make_section_type(memory(), section, count, type, &made) == MPI_SUCCESS);
  CHECK(bytes_of(*made, 1) == expected);
  made->release();
}

}  // namespace

TEST_CASE("section: dimensions without gaps belong to the piece") {
  std::byte anywhere;
  const Section whole(descriptor_of(&anywhere, 8, {{10, 1}, {20, 10}}));
  CHECK(whole.rank == 0);
  CHECK(whole.piece == 1600);
  const Section columns(descriptor_of(&anywhere, 8, {{10, 1}, {20, 30}}));
  CHECK(columns.rank == 1);
  CHECK(columns.piece == 80);
  CHECK(columns.pieces() == 20);
  CHECK(columns.offset_of(3) == 3 * 240);
  // A dimension with one element does not count, whatever its stride.
  const Section row(descriptor_of(&anywhere, 4, {{1, 7}, {5, 1}, {1, 99}}));
  CHECK(row.rank == 0);
  CHECK(row.piece == 20);
  const Section none(descriptor_of(&anywhere, 4, {{5, 2}, {0, 10}}));
  CHECK(none.pieces() == 0);
}

TEST_CASE("section: pieces come in array element order, backwards too") {
  std::vector<std::byte> array(4 * 100);
  std::byte* const base = array.data() + 4 * 50;
  const std::vector<Count> counts = {{3, -2}, {4, 10}};
  const Section section(descriptor_of(base, 4, counts));
  Places begins;
  section.for_each_piece([&](const std::byte* place) { begins.push_back(place - base); });
  Places expected;
  const Places all = bytes_of(counts, 4);
  for (std::size_t i = 0; i < all.size(); i += 4) expected.push_back(all[i]);
  CHECK(begins == expected);
}

TEST_CASE("section: what lies beyond it") {
  std::byte anywhere;
  const Section section(descriptor_of(&anywhere, 4, {{5, 2}}));
  const Datatype& number = *predefined_datatype(MPI_INT);
  CHECK(reach_of(section, 0, number) == Reach::first_piece);
  CHECK(reach_of(section, 1, number) == Reach::first_piece);
  CHECK(reach_of(section, 2, number) == Reach::section);
  CHECK(reach_of(section, 5, number) == Reach::section);
  CHECK(reach_of(section, 6, number) == Reach::beyond);
  CHECK(reach_of(section, INT64_MAX, *predefined_datatype(MPI_DOUBLE)) == Reach::beyond);
}

TEST_CASE("section: any type in any section is what it is in the contiguous buffer") {
  std::mt19937 random(20);
  const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  const MPI_Datatype basics[] = {MPI_BYTE, MPI_SHORT, MPI_INT, MPI_DOUBLE};
  for (int round = 0; round < 3000; ++round) {
    std::vector<Count> counts;
    std::int64_t past = 1;
    const auto rank = 1 + below(3);
    for (std::int64_t i = 0; i < rank; ++i) {
      const std::int64_t extent = 1 + below(4), stride = past + below(3);
      counts.push_back({extent, below(4) == 0 ? -stride : stride});
      past = extent * stride;
    }
    const std::int64_t element = std::int64_t{1} << below(4);
    const Datatype& basic = *predefined_datatype(basics[below(4)]);
    check_type(counts, element, basic, 1 + below(20));
    Datatype* vector = nullptr;
    REQUIRE(make_vector({memory()}, static_cast<int>(1 + below(3)), static_cast<int>(1 + below(2)),
                        static_cast<int>(1 + below(3)), basic, &vector) == MPI_SUCCESS);
    vector->commit();
    check_type(counts, element, *vector, 1 + below(6));
    vector->release();
  }
}
