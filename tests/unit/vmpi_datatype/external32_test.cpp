// SPDX-License-Identifier: Apache-2.0
// The bytes of external32 (MPI 4.1, section 15.5.2), written out by hand or taken from IEEE 754.
#include <doctest/doctest.h>

#include <cmath>
#include <cwchar>
#include <limits>

#include "runtime/vmpi/datatype/external32.hpp"
#include "tests/unit/vmpi_datatype/type_pair.hpp"

using namespace skein::vmpi;

namespace {

std::pmr::memory_resource& memory() { return *std::pmr::new_delete_resource(); }

template <class T>
void check(MPI_Datatype handle, T value, std::initializer_list<int> expected) {
  const Datatype& type = *predefined_datatype(handle);
  CAPTURE(type.basic()->name);
  REQUIRE(external32_size(type) == static_cast<std::int64_t>(expected.size()));
  std::vector<std::byte> packed(expected.size()), bytes;
  for (int b : expected) bytes.push_back(static_cast<std::byte>(b));
  CHECK(pack_external32(&value, 1, type, packed.data()) == MPI_SUCCESS);
  CHECK(packed == bytes);
  T back{};
  unpack_external32(&back, 1, type, packed.data());
  CHECK(back == value);
}

}  // namespace

TEST_CASE("external32: integers are big-endian two's complement") {
  check<short>(MPI_SHORT, -2, {0xff, 0xfe});
  check<int>(MPI_INT, 0x01020304, {1, 2, 3, 4});
  check<long long>(MPI_LONG_LONG, -3, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfd});
  check<std::uint64_t>(MPI_UINT64_T, 0x0102030405060708, {1, 2, 3, 4, 5, 6, 7, 8});
  check<MPI_Aint>(MPI_AINT, 258, {0, 0, 0, 0, 0, 0, 1, 2});
  check<bool>(MPI_C_BOOL, true, {1});
  check<char>(MPI_CHAR, 'A', {0x41});
}

TEST_CASE("external32: long has four bytes and wchar_t two, and what does not fit is reported") {
  check<long>(MPI_LONG, -2, {0xff, 0xff, 0xff, 0xfe});
  check<long>(MPI_LONG, 0x7fffffff, {0x7f, 0xff, 0xff, 0xff});
  check<long>(MPI_LONG, -0x80000000L, {0x80, 0, 0, 0});
  check<unsigned long>(MPI_UNSIGNED_LONG, 0xffffffff, {0xff, 0xff, 0xff, 0xff});
  check<wchar_t>(MPI_WCHAR, L'\x20ac', {0x20, 0xac});
  std::byte out[4];
  for (const long value : {0x80000000L, -0x80000001L, 1L << 40})
    CHECK(pack_external32(&value, 1, *predefined_datatype(MPI_LONG), out) == MPI_ERR_CONVERSION);
  const unsigned long large = 1UL << 32;
  CHECK(pack_external32(&large, 1, *predefined_datatype(MPI_UNSIGNED_LONG), out) == MPI_ERR_CONVERSION);
}

TEST_CASE("external32: reals are IEEE 754 of 32, 64 and 128 bits") {
  check<float>(MPI_FLOAT, -1.5f, {0xbf, 0xc0, 0, 0});
  check<double>(MPI_DOUBLE, 1.0, {0x3f, 0xf0, 0, 0, 0, 0, 0, 0});
  // -2.5 = -1.25 * 2^1: sign 1, exponent 16384 = 0x4000, fraction 0x4000...
  check<long double>(MPI_LONG_DOUBLE, -2.5L, {0xc0, 0x00, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  check<__float128>(MPI_REAL16, 2.0, {0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  const long double special[] = {std::numeric_limits<long double>::max(),
                                 std::numeric_limits<long double>::min(),
                                 std::numeric_limits<long double>::infinity(), 0.1L};
  for (const long double value : special) {
    std::byte packed[16];
    long double back = 0;
    CHECK(pack_external32(&value, 1, *predefined_datatype(MPI_LONG_DOUBLE), packed) == MPI_SUCCESS);
    unpack_external32(&back, 1, *predefined_datatype(MPI_LONG_DOUBLE), packed);
    CHECK(back == value);
  }
}

TEST_CASE("external32: a complex number is two reals, a pair its value and index without padding") {
  struct C {
    float re, im;
    bool operator==(const C&) const = default;
  };
  check<C>(MPI_C_FLOAT_COMPLEX, {1.0f, -1.0f}, {0x3f, 0x80, 0, 0, 0xbf, 0x80, 0, 0});
  struct P {
    double value;
    int index;
    bool operator==(const P&) const = default;
  };
  check<P>(MPI_DOUBLE_INT, {1.0, 7}, {0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7});
}

TEST_CASE("external32: derived types are written in typemap order") {
  const Owned type = made(
      [](Datatype** out) { return make_vector({memory()}, 2, 1, -1, *predefined_datatype(MPI_SHORT), out); });
  const short values[] = {1, 2, 3};
  std::byte packed[4];
  CHECK(external32_size(*type) == 4);
  CHECK(pack_external32(&values[1], 1, *type, packed) == MPI_SUCCESS);
  const std::byte expected[] = {std::byte{0}, std::byte{2}, std::byte{0}, std::byte{1}};
  CHECK(std::equal(packed, packed + 4, expected));
  short back[] = {0, 0, 0};
  unpack_external32(&back[1], 1, *type, packed);
  CHECK(back[0] == 1);
  CHECK(back[1] == 2);
  CHECK(back[2] == 0);
}
