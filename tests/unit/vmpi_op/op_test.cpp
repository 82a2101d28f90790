// SPDX-License-Identifier: Apache-2.0
// Compares operations with plain loops, and the table of permitted types with the standard's.
#include <doctest/doctest.h>

#include <complex>
#include <cstring>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "runtime/vmpi/datatype/construct.hpp"
#include "runtime/vmpi/op/op.hpp"

using namespace skein::vmpi;

namespace {

const Datatype& named(MPI_Datatype handle) { return *predefined_datatype(handle); }

constexpr std::size_t length = 103;  // no multiple of any vector's width

/// Reduces two vectors of `T` with values from `make` and compares each element with `expected(in, inout)`.
template <class T, class Make, class Expected>
void check(MPI_Op op, MPI_Datatype handle, Make&& make, Expected&& expected) {
  const Datatype& type = named(handle);
  CAPTURE(type.basic()->name);
  CAPTURE(reinterpret_cast<std::uintptr_t>(op));
  REQUIRE(reduction_allowed(*predefined_op(op), type));
  std::vector<T> in(length), inout(length), before;
  for (std::size_t i = 0; i < length; ++i) {
    in[i] = make();
    inout[i] = make();
  }
  before = inout;
  reduce(*predefined_op(op), in.data(), inout.data(), length, type, handle);
  for (std::size_t i = 0; i < length; ++i) REQUIRE(bool(inout[i] == expected(in[i], before[i])));
}

std::mt19937 random_source(7);
template <class T>
T small_number() {
  return static_cast<T>(std::uniform_int_distribution<int>(0, 11)(random_source));
}

template <class T>
void check_arithmetic(MPI_Datatype handle) {
  const auto make = small_number<T>;  // products of two stay below 128
  check<T>(MPI_SUM, handle, make, [](T a, T b) { return static_cast<T>(a + b); });
  check<T>(MPI_PROD, handle, make, [](T a, T b) { return static_cast<T>(a * b); });
  check<T>(MPI_MAX, handle, make, [](T a, T b) { return a > b ? a : b; });
  check<T>(MPI_MIN, handle, make, [](T a, T b) { return a < b ? a : b; });
}

template <class T>
void check_bits(MPI_Datatype handle) {
  const auto make = small_number<T>;
  check<T>(MPI_BAND, handle, make, [](T a, T b) { return static_cast<T>(a & b); });
  check<T>(MPI_BOR, handle, make, [](T a, T b) { return static_cast<T>(a | b); });
  check<T>(MPI_BXOR, handle, make, [](T a, T b) { return static_cast<T>(a ^ b); });
}

template <class T>
void check_logic(MPI_Datatype handle) {
  const auto make = [] { return static_cast<T>(small_number<int>() % 3); };
  check<T>(MPI_LAND, handle, make, [](T a, T b) { return static_cast<T>(a && b); });
  check<T>(MPI_LOR, handle, make, [](T a, T b) { return static_cast<T>(a || b); });
  check<T>(MPI_LXOR, handle, make, [](T a, T b) { return static_cast<T>(!a != !b); });
}

template <class T>
void check_c_integer(MPI_Datatype handle) {
  check_arithmetic<T>(handle);
  check_bits<T>(handle);
  check_logic<T>(handle);
}

template <class T>
void check_integer_without_logic(MPI_Datatype handle) {
  check_arithmetic<T>(handle);
  check_bits<T>(handle);
}

template <class R>
void check_complex(MPI_Datatype handle) {
  using C = std::complex<R>;
  const auto make = [] { return C(small_number<R>(), -small_number<R>()); };
  check<C>(MPI_SUM, handle, make, [](C a, C b) { return C(a.real() + b.real(), a.imag() + b.imag()); });
  check<C>(MPI_PROD, handle, make, [](C a, C b) {
    return C(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  });
}

template <class V, class I>
void check_location(MPI_Datatype handle) {
  struct Pair {
    V value;
    I index;
    bool operator==(const Pair&) const = default;
  };
  REQUIRE(named(handle).extent() == static_cast<std::int64_t>(sizeof(Pair)));
  const auto make = [] { return Pair{small_number<V>(), static_cast<I>(small_number<int>())}; };
  const auto lower_index = [](Pair a, Pair b) {
    return Pair{a.value, a.index < b.index ? a.index : b.index};
  };
  check<Pair>(MPI_MINLOC, handle, make, [&](Pair a, Pair b) {
    return a.value < b.value ? a : b.value < a.value ? b : lower_index(a, b);
  });
  check<Pair>(MPI_MAXLOC, handle, make, [&](Pair a, Pair b) {
    return a.value > b.value ? a : b.value > a.value ? b : lower_index(a, b);
  });
}

}  // namespace

TEST_CASE("op: C integers") {
  check_c_integer<signed char>(MPI_SIGNED_CHAR);
  check_c_integer<unsigned char>(MPI_UNSIGNED_CHAR);
  check_c_integer<char>(MPI_CHAR);
  check_c_integer<short>(MPI_SHORT);
  check_c_integer<unsigned short>(MPI_UNSIGNED_SHORT);
  check_c_integer<int>(MPI_INT);
  check_c_integer<unsigned>(MPI_UNSIGNED);
  check_c_integer<long>(MPI_LONG);
  check_c_integer<unsigned long>(MPI_UNSIGNED_LONG);
  check_c_integer<long long>(MPI_LONG_LONG);
  check_c_integer<unsigned long long>(MPI_UNSIGNED_LONG_LONG);
  check_c_integer<std::int8_t>(MPI_INT8_T);
  check_c_integer<std::int16_t>(MPI_INT16_T);
  check_c_integer<std::int32_t>(MPI_INT32_T);
  check_c_integer<std::int64_t>(MPI_INT64_T);
  check_c_integer<std::uint8_t>(MPI_UINT8_T);
  check_c_integer<std::uint16_t>(MPI_UINT16_T);
  check_c_integer<std::uint32_t>(MPI_UINT32_T);
  check_c_integer<std::uint64_t>(MPI_UINT64_T);
}

TEST_CASE("op: Fortran integers and the types of all languages") {
  check_integer_without_logic<std::int32_t>(MPI_INTEGER);
  check_integer_without_logic<std::int8_t>(MPI_INTEGER1);
  check_integer_without_logic<std::int16_t>(MPI_INTEGER2);
  check_integer_without_logic<std::int32_t>(MPI_INTEGER4);
  check_integer_without_logic<std::int64_t>(MPI_INTEGER8);
  check_integer_without_logic<__int128>(MPI_INTEGER16);
  check_integer_without_logic<MPI_Aint>(MPI_AINT);
  check_integer_without_logic<MPI_Count>(MPI_COUNT);
  check_integer_without_logic<MPI_Offset>(MPI_OFFSET);
  check_bits<unsigned char>(MPI_BYTE);
}

TEST_CASE("op: reals") {
  check_arithmetic<float>(MPI_FLOAT);
  check_arithmetic<double>(MPI_DOUBLE);
  check_arithmetic<long double>(MPI_LONG_DOUBLE);
  check_arithmetic<float>(MPI_REAL);
  check_arithmetic<double>(MPI_DOUBLE_PRECISION);
  check_arithmetic<float>(MPI_REAL4);
  check_arithmetic<double>(MPI_REAL8);
  check_arithmetic<__float128>(MPI_REAL16);
}

TEST_CASE("op: complex numbers") {
  check_complex<float>(MPI_COMPLEX);
  check_complex<double>(MPI_DOUBLE_COMPLEX);
  check_complex<float>(MPI_C_FLOAT_COMPLEX);
  check_complex<double>(MPI_C_DOUBLE_COMPLEX);
  check_complex<long double>(MPI_C_LONG_DOUBLE_COMPLEX);
  check_complex<float>(MPI_CXX_FLOAT_COMPLEX);
  check_complex<double>(MPI_CXX_DOUBLE_COMPLEX);
  check_complex<long double>(MPI_CXX_LONG_DOUBLE_COMPLEX);
  check_complex<float>(MPI_COMPLEX8);
  check_complex<double>(MPI_COMPLEX16);
}

TEST_CASE("op: logical values, of which any but 0 is true") {
  check_logic<std::int32_t>(MPI_LOGICAL);
  check_logic<std::int8_t>(MPI_LOGICAL1);
  check_logic<std::int16_t>(MPI_LOGICAL2);
  check_logic<std::int32_t>(MPI_LOGICAL4);
  check_logic<std::int64_t>(MPI_LOGICAL8);
  check_logic<__int128>(MPI_LOGICAL16);
  const auto truth = [] { return static_cast<unsigned char>(small_number<int>() % 2); };
  for (const MPI_Datatype type : {MPI_C_BOOL, MPI_CXX_BOOL}) {
    check<unsigned char>(MPI_LAND, type, truth, [](int a, int b) { return a && b; });
    check<unsigned char>(MPI_LOR, type, truth, [](int a, int b) { return a || b; });
    check<unsigned char>(MPI_LXOR, type, truth, [](int a, int b) { return a != b; });
  }
}

TEST_CASE("op: extreme values with their places; equal values give the lower place") {
  check_location<float, int>(MPI_FLOAT_INT);
  check_location<double, int>(MPI_DOUBLE_INT);
  check_location<long, int>(MPI_LONG_INT);
  check_location<int, int>(MPI_2INT);
  check_location<short, int>(MPI_SHORT_INT);
  check_location<long double, int>(MPI_LONG_DOUBLE_INT);
  check_location<float, float>(MPI_2REAL);
  check_location<double, double>(MPI_2DOUBLE_PRECISION);
  check_location<int, int>(MPI_2INTEGER);
}

TEST_CASE("op: sums and products of integers wrap around") {
  int in = INT32_MAX, inout = 1;
  reduce(*predefined_op(MPI_SUM), &in, &inout, 1, named(MPI_INT), MPI_INT);
  CHECK(inout == INT32_MIN);
  unsigned short a = 0xffff, b = 0xffff;  // 0xffff * 0xffff overflows int, which C++ promotes to
  reduce(*predefined_op(MPI_PROD), &a, &b, 1, named(MPI_UNSIGNED_SHORT), MPI_UNSIGNED_SHORT);
  CHECK(b == 1);
}

TEST_CASE("op: allowed is what the standard's table says") {
  // MPI 4.1, section 6.9.2, by groups; and M for the logical types, which the table leaves out.
  const std::string all_integers = "IFM", integers = "I";
  const struct {
    MPI_Op op;
    std::string groups;
  } rows[] = {
      {MPI_MAX, all_integers + "R"},
      {MPI_MIN, all_integers + "R"},
      {MPI_SUM, all_integers + "RC"},
      {MPI_PROD, all_integers + "RC"},
      {MPI_LAND, integers + "LM"},
      {MPI_LOR, integers + "LM"},
      {MPI_LXOR, integers + "LM"},
      {MPI_BAND, all_integers + "B"},
      {MPI_BOR, all_integers + "B"},
      {MPI_BXOR, all_integers + "B"},
      {MPI_MINLOC, "P"},
      {MPI_MAXLOC, "P"},
      {MPI_REPLACE, ""},
      {MPI_NO_OP, ""},
  };
  const struct {
    char group;
    std::set<MPI_Datatype> types;
  } groups[] = {
      {'I',
       {MPI_INT, MPI_LONG, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_LONG_LONG,
        MPI_UNSIGNED_LONG_LONG, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T,
        MPI_INT64_T, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T, MPI_CHAR}},
      {'F', {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8, MPI_INTEGER16}},
      {'R',
       {MPI_FLOAT, MPI_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_LONG_DOUBLE, MPI_REAL4, MPI_REAL8,
        MPI_REAL16}},
      {'L',
       {MPI_LOGICAL, MPI_C_BOOL, MPI_CXX_BOOL, MPI_LOGICAL1, MPI_LOGICAL2, MPI_LOGICAL4, MPI_LOGICAL8,
        MPI_LOGICAL16}},
      {'C',
       {MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX,
        MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX, MPI_COMPLEX8,
        MPI_COMPLEX16, MPI_COMPLEX32}},
      {'B', {MPI_BYTE}},
      {'M', {MPI_AINT, MPI_OFFSET, MPI_COUNT}},
      {'P',
       {MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_2INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT, MPI_2REAL,
        MPI_2DOUBLE_PRECISION, MPI_2INTEGER}},
  };
  for (const auto& row : rows)
    for (const BasicType& basic : basic_types()) {
      bool expected = false;
      for (const auto& group : groups)
        if (group.types.count(basic.handle) == 1)
          expected = row.groups.find(group.group) != std::string::npos;
      CAPTURE(basic.name);
      CAPTURE(reinterpret_cast<std::uintptr_t>(row.op));
      CHECK(reduction_allowed(*predefined_op(row.op), named(basic.handle)) == expected);
    }
}

TEST_CASE("op: predefined operations take no derived types, the program's take all") {
  Datatype* pair = nullptr;
  REQUIRE(make_contiguous({*std::pmr::new_delete_resource()}, 2, named(MPI_INT), &pair) == MPI_SUCCESS);
  CHECK_FALSE(reduction_allowed(*predefined_op(MPI_SUM), *pair));
  const Op* own = make_user_op(*std::pmr::new_delete_resource(), {}, true);
  CHECK(reduction_allowed(*own, *pair));
  own->release();
  pair->release();
}

TEST_CASE("op: replace copies by the type's layout, no-op leaves all as it is") {
  Datatype* column = nullptr;
  REQUIRE(make_vector({*std::pmr::new_delete_resource()}, 2, 1, 2, named(MPI_INT), &column) == MPI_SUCCESS);
  column->commit();
  const int in[] = {1, 2, 3};
  int inout[] = {7, 8, 9};
  reduce(*predefined_op(MPI_NO_OP), in, inout, 1, *column, MPI_DATATYPE_NULL);
  CHECK(inout[0] == 7);
  CHECK(inout[2] == 9);
  reduce(*predefined_op(MPI_REPLACE), in, inout, 1, *column, MPI_DATATYPE_NULL);
  CHECK(inout[0] == 1);
  CHECK(inout[1] == 8);
  CHECK(inout[2] == 3);
  column->release();
}

namespace {

MPI_Datatype seen_handle = MPI_DATATYPE_NULL;
int seen_integer_handle = 0;

void subtract_c(void* in, void* inout, int* n, MPI_Datatype* type) {
  seen_handle = *type;
  for (int i = 0; i < *n; ++i)
    static_cast<int*>(inout)[i] = static_cast<int*>(in)[i] - static_cast<int*>(inout)[i];
}
void subtract_large(void* in, void* inout, MPI_Count* n, MPI_Datatype* type) {
  seen_handle = *type;
  for (MPI_Count i = 0; i < *n; ++i)
    static_cast<int*>(inout)[i] = static_cast<int*>(in)[i] - static_cast<int*>(inout)[i];
}
void subtract_fortran(void* in, void* inout, int* n, int* type) {
  seen_integer_handle = *type;
  for (int i = 0; i < *n; ++i)
    static_cast<int*>(inout)[i] = static_cast<int*>(in)[i] - static_cast<int*>(inout)[i];
}

/// Records its calls; reads no data.
std::vector<std::pair<std::uintptr_t, int>> calls;
void record(void* in, void*, int* n, MPI_Datatype*) {
  calls.push_back({reinterpret_cast<std::uintptr_t>(in), *n});
}

}  // namespace

TEST_CASE("op: the program's functions get operands in order, the count and the type in their form") {
  const struct {
    UserFunction::Form form;
    void (*address)();
  } forms[] = {{UserFunction::Form::c, reinterpret_cast<void (*)()>(subtract_c)},
               {UserFunction::Form::c_large, reinterpret_cast<void (*)()>(subtract_large)},
               {UserFunction::Form::fortran, reinterpret_cast<void (*)()>(subtract_fortran)}};
  for (const auto& form : forms) {
    seen_handle = MPI_DATATYPE_NULL;
    const Op* op = make_user_op(*std::pmr::new_delete_resource(), {form.form, form.address}, false);
    CHECK_FALSE(op->commutative());
    CHECK_FALSE(op->predefined());
    const int in[] = {10, 20, 30};
    int inout[] = {1, 2, 3};
    reduce(*op, in, inout, 3, named(MPI_INT), MPI_INT);
    CHECK(inout[0] == 9);
    CHECK(inout[1] == 18);
    CHECK(inout[2] == 27);
    CHECK((seen_handle == MPI_INT || form.form == UserFunction::Form::fortran));
    op->release();
  }
  CHECK(seen_integer_handle == 0x209);  // the ABI's MPI_INT
}

TEST_CASE("op: vectors longer than an int counts go to the program's function in pieces") {
  calls.clear();
  const Op* op = make_user_op(*std::pmr::new_delete_resource(),
                              {UserFunction::Form::c, reinterpret_cast<void (*)()>(record)}, true);
  const std::int64_t count = 2 * std::int64_t{INT32_MAX} + 5;
  const auto at = [](std::uintptr_t address) { return reinterpret_cast<void*>(address); };
  reduce(*op, at(0x1000), at(0x1000), count, named(MPI_SHORT), MPI_SHORT);
  op->release();
  REQUIRE(calls.size() == 3);
  const std::uintptr_t step = std::uintptr_t{INT32_MAX} * 2;
  CHECK(calls[0] == std::pair<std::uintptr_t, int>{0x1000, INT32_MAX});
  CHECK(calls[1] == std::pair<std::uintptr_t, int>{0x1000 + step, INT32_MAX});
  CHECK(calls[2] == std::pair<std::uintptr_t, int>{0x1000 + 2 * step, 5});
}

TEST_CASE("op: predefined operations are found by their constants and are commutative") {
  for (const MPI_Op handle : {MPI_SUM, MPI_MIN, MPI_MAX, MPI_PROD, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_LAND,
                              MPI_LOR, MPI_LXOR, MPI_MINLOC, MPI_MAXLOC}) {
    REQUIRE(predefined_op(handle) != nullptr);
    CHECK(predefined_op(handle)->handle() == handle);
    CHECK(predefined_op(handle)->commutative());
    predefined_op(handle)->release();  // does nothing
    CHECK(predefined_op(handle)->handle() == handle);
  }
  CHECK_FALSE(predefined_op(MPI_REPLACE)->commutative());
  CHECK(predefined_op(MPI_OP_NULL) == nullptr);
}
