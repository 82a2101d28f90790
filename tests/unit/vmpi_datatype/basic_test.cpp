// SPDX-License-Identifier: Apache-2.0
// Compares the predefined types with the C++ compiler's properties of the types they stand for.
#include <doctest/doctest.h>

#include <complex>
#include <cstddef>
#include <cwchar>
#include <set>
#include <string>

#include "runtime/vmpi/datatype/datatype.hpp"

using namespace skein::vmpi;

namespace {

template <class T>
void check_scalar(MPI_Datatype handle, const char* name) {
  CAPTURE(name);
  const Datatype* type = predefined_datatype(handle);
  REQUIRE(type != nullptr);
  CHECK(type->name() == name);
  CHECK(type->size() == static_cast<std::int64_t>(sizeof(T)));
  CHECK(type->extent() == static_cast<std::int64_t>(sizeof(T)));
  CHECK(type->lb() == 0);
  CHECK(type->bounds().alignment == static_cast<std::int64_t>(alignof(T)));
  CHECK(type->dense());
  CHECK(type->signature().elements == 1);
}

template <class Value, class Index>
void check_pair(MPI_Datatype handle, const char* name) {
  struct Both {
    Value value;
    Index index;
  };
  CAPTURE(name);
  const Datatype* type = predefined_datatype(handle);
  REQUIRE(type != nullptr);
  CHECK(type->name() == name);
  CHECK(type->size() == static_cast<std::int64_t>(sizeof(Value) + sizeof(Index)));
  CHECK(type->extent() == static_cast<std::int64_t>(sizeof(Both)));
  CHECK(type->true_extent() == static_cast<std::int64_t>(offsetof(Both, index) + sizeof(Index)));
  CHECK(type->signature().elements == 2);
}

}  // namespace

#define CHECK_SCALAR(name, type) check_scalar<type>(name, #name)
#define CHECK_PAIR(name, ...) check_pair<__VA_ARGS__>(name, #name)

TEST_CASE("predefined types have the size and alignment of their C types") {
  CHECK_SCALAR(MPI_CHAR, char);
  CHECK_SCALAR(MPI_SIGNED_CHAR, signed char);
  CHECK_SCALAR(MPI_UNSIGNED_CHAR, unsigned char);
  CHECK_SCALAR(MPI_BYTE, std::byte);
  CHECK_SCALAR(MPI_PACKED, std::byte);
  CHECK_SCALAR(MPI_WCHAR, wchar_t);
  CHECK_SCALAR(MPI_SHORT, short);
  CHECK_SCALAR(MPI_UNSIGNED_SHORT, unsigned short);
  CHECK_SCALAR(MPI_INT, int);
  CHECK_SCALAR(MPI_UNSIGNED, unsigned);
  CHECK_SCALAR(MPI_LONG, long);
  CHECK_SCALAR(MPI_UNSIGNED_LONG, unsigned long);
  CHECK_SCALAR(MPI_LONG_LONG_INT, long long);
  CHECK_SCALAR(MPI_UNSIGNED_LONG_LONG, unsigned long long);
  CHECK_SCALAR(MPI_FLOAT, float);
  CHECK_SCALAR(MPI_DOUBLE, double);
  CHECK_SCALAR(MPI_LONG_DOUBLE, long double);
  CHECK_SCALAR(MPI_C_BOOL, bool);
  CHECK_SCALAR(MPI_CXX_BOOL, bool);
  CHECK_SCALAR(MPI_C_COMPLEX, std::complex<float>);
  CHECK_SCALAR(MPI_C_DOUBLE_COMPLEX, std::complex<double>);
  CHECK_SCALAR(MPI_C_LONG_DOUBLE_COMPLEX, std::complex<long double>);
  CHECK_SCALAR(MPI_CXX_FLOAT_COMPLEX, std::complex<float>);
  CHECK_SCALAR(MPI_CXX_DOUBLE_COMPLEX, std::complex<double>);
  CHECK_SCALAR(MPI_CXX_LONG_DOUBLE_COMPLEX, std::complex<long double>);
  CHECK_SCALAR(MPI_INT8_T, std::int8_t);
  CHECK_SCALAR(MPI_INT16_T, std::int16_t);
  CHECK_SCALAR(MPI_INT32_T, std::int32_t);
  CHECK_SCALAR(MPI_INT64_T, std::int64_t);
  CHECK_SCALAR(MPI_UINT8_T, std::uint8_t);
  CHECK_SCALAR(MPI_UINT16_T, std::uint16_t);
  CHECK_SCALAR(MPI_UINT32_T, std::uint32_t);
  CHECK_SCALAR(MPI_UINT64_T, std::uint64_t);
  CHECK_SCALAR(MPI_AINT, MPI_Aint);
  CHECK_SCALAR(MPI_COUNT, MPI_Count);
  CHECK_SCALAR(MPI_OFFSET, MPI_Offset);
}

TEST_CASE("predefined types of Fortran have the bytes their names say, and its default kinds") {
  CHECK_SCALAR(MPI_LOGICAL, std::int32_t);
  CHECK_SCALAR(MPI_INTEGER, std::int32_t);
  CHECK_SCALAR(MPI_REAL, float);
  CHECK_SCALAR(MPI_DOUBLE_PRECISION, double);
  CHECK_SCALAR(MPI_COMPLEX, std::complex<float>);
  CHECK_SCALAR(MPI_DOUBLE_COMPLEX, std::complex<double>);
  CHECK_SCALAR(MPI_CHARACTER, char);
  CHECK_SCALAR(MPI_INTEGER1, std::int8_t);
  CHECK_SCALAR(MPI_INTEGER2, std::int16_t);
  CHECK_SCALAR(MPI_INTEGER4, std::int32_t);
  CHECK_SCALAR(MPI_INTEGER8, std::int64_t);
  CHECK_SCALAR(MPI_INTEGER16, __int128);
  CHECK_SCALAR(MPI_LOGICAL1, std::int8_t);
  CHECK_SCALAR(MPI_LOGICAL2, std::int16_t);
  CHECK_SCALAR(MPI_LOGICAL4, std::int32_t);
  CHECK_SCALAR(MPI_LOGICAL8, std::int64_t);
  CHECK_SCALAR(MPI_LOGICAL16, __int128);
  CHECK_SCALAR(MPI_REAL2, std::int16_t);
  CHECK_SCALAR(MPI_REAL4, float);
  CHECK_SCALAR(MPI_REAL8, double);
  CHECK_SCALAR(MPI_REAL16, __float128);
  CHECK_SCALAR(MPI_COMPLEX8, std::complex<float>);
  CHECK_SCALAR(MPI_COMPLEX16, std::complex<double>);
  struct Complex4 {
    std::int16_t re, im;
  };
  struct Complex32 {
    __float128 re, im;
  };
  CHECK_SCALAR(MPI_COMPLEX4, Complex4);
  CHECK_SCALAR(MPI_COMPLEX32, Complex32);
}

TEST_CASE("predefined pairs are laid out as the C structures of value and index") {
  CHECK_PAIR(MPI_FLOAT_INT, float, int);
  CHECK_PAIR(MPI_DOUBLE_INT, double, int);
  CHECK_PAIR(MPI_LONG_INT, long, int);
  CHECK_PAIR(MPI_2INT, int, int);
  CHECK_PAIR(MPI_SHORT_INT, short, int);
  CHECK_PAIR(MPI_LONG_DOUBLE_INT, long double, int);
  CHECK_PAIR(MPI_2REAL, float, float);
  CHECK_PAIR(MPI_2DOUBLE_PRECISION, double, double);
  CHECK_PAIR(MPI_2INTEGER, int, int);
}

TEST_CASE("predefined types have different handles, and other handles name none") {
  std::set<MPI_Datatype> handles;
  for (const BasicType& basic : basic_types()) handles.insert(basic.handle);
  CHECK(handles.size() == basic_types().size());
  CHECK(predefined_datatype(MPI_DATATYPE_NULL) == nullptr);
  for (std::uintptr_t value = 0; value < 0x1000; ++value) {
    const auto handle = reinterpret_cast<MPI_Datatype>(value);
    CHECK((predefined_datatype(handle) != nullptr) == (handles.count(handle) == 1));
  }
}
