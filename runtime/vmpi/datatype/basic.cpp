// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/datatype/basic.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "runtime/base/check.hpp"

namespace skein::vmpi {
namespace {

// MPI_LONG and MPI_WCHAR shrink in external32: its table fixes 4 and 2 bytes (MPI 4.1, section 15.5.2).
#define SKEIN_BASIC(name, type_class, rep, size, alignment, external) \
  { MPI_##name, "MPI_" #name, TypeClass::type_class, Rep::rep, size, alignment, external }

const BasicType basic_table[] = {
    SKEIN_BASIC(AINT, multi_language, i64, 8, 8, 8),
    SKEIN_BASIC(COUNT, multi_language, i64, 8, 8, 8),
    SKEIN_BASIC(OFFSET, multi_language, i64, 8, 8, 8),
    SKEIN_BASIC(PACKED, packed, u8, 1, 1, 1),
    SKEIN_BASIC(SHORT, c_integer, i16, 2, 2, 2),
    SKEIN_BASIC(INT, c_integer, i32, 4, 4, 4),
    SKEIN_BASIC(LONG, c_integer, i64, 8, 8, 4),
    SKEIN_BASIC(LONG_LONG_INT, c_integer, i64, 8, 8, 8),
    SKEIN_BASIC(UNSIGNED_SHORT, c_integer, u16, 2, 2, 2),
    SKEIN_BASIC(UNSIGNED, c_integer, u32, 4, 4, 4),
    SKEIN_BASIC(UNSIGNED_LONG, c_integer, u64, 8, 8, 4),
    SKEIN_BASIC(UNSIGNED_LONG_LONG, c_integer, u64, 8, 8, 8),
    SKEIN_BASIC(FLOAT, floating, f32, 4, 4, 4),
    SKEIN_BASIC(C_COMPLEX, complex, c32, 8, 4, 8),
    SKEIN_BASIC(CXX_FLOAT_COMPLEX, complex, c32, 8, 4, 8),
    SKEIN_BASIC(DOUBLE, floating, f64, 8, 8, 8),
    SKEIN_BASIC(C_DOUBLE_COMPLEX, complex, c64, 16, 8, 16),
    SKEIN_BASIC(CXX_DOUBLE_COMPLEX, complex, c64, 16, 8, 16),
    SKEIN_BASIC(LOGICAL, logical, i32, 4, 4, 4),
    SKEIN_BASIC(INTEGER, fortran_integer, i32, 4, 4, 4),
    SKEIN_BASIC(REAL, floating, f32, 4, 4, 4),
    SKEIN_BASIC(COMPLEX, complex, c32, 8, 4, 8),
    SKEIN_BASIC(DOUBLE_PRECISION, floating, f64, 8, 8, 8),
    SKEIN_BASIC(DOUBLE_COMPLEX, complex, c64, 16, 8, 16),
    SKEIN_BASIC(CHARACTER, character, u8, 1, 1, 1),
    SKEIN_BASIC(LONG_DOUBLE, floating, f80, 16, 16, 16),
    SKEIN_BASIC(C_LONG_DOUBLE_COMPLEX, complex, c80, 32, 16, 32),
    SKEIN_BASIC(CXX_LONG_DOUBLE_COMPLEX, complex, c80, 32, 16, 32),
    SKEIN_BASIC(FLOAT_INT, pair, f32_i32, 8, 4, 8),
    SKEIN_BASIC(DOUBLE_INT, pair, f64_i32, 12, 8, 12),
    SKEIN_BASIC(LONG_INT, pair, i64_i32, 12, 8, 8),
    SKEIN_BASIC(2INT, pair, i32_i32, 8, 4, 8),
    SKEIN_BASIC(SHORT_INT, pair, i16_i32, 6, 4, 6),
    SKEIN_BASIC(LONG_DOUBLE_INT, pair, f80_i32, 20, 16, 20),
    SKEIN_BASIC(2REAL, pair, f32_f32, 8, 4, 8),
    SKEIN_BASIC(2DOUBLE_PRECISION, pair, f64_f64, 16, 8, 16),
    SKEIN_BASIC(2INTEGER, pair, i32_i32, 8, 4, 8),
    SKEIN_BASIC(C_BOOL, logical, boolean, 1, 1, 1),
    SKEIN_BASIC(CXX_BOOL, logical, boolean, 1, 1, 1),
    SKEIN_BASIC(WCHAR, character, i32, 4, 4, 2),
    SKEIN_BASIC(INT8_T, c_integer, i8, 1, 1, 1),
    SKEIN_BASIC(UINT8_T, c_integer, u8, 1, 1, 1),
    SKEIN_BASIC(CHAR, character, i8, 1, 1, 1),
    SKEIN_BASIC(SIGNED_CHAR, c_integer, i8, 1, 1, 1),
    SKEIN_BASIC(UNSIGNED_CHAR, c_integer, u8, 1, 1, 1),
    SKEIN_BASIC(BYTE, byte, u8, 1, 1, 1),
    SKEIN_BASIC(INT16_T, c_integer, i16, 2, 2, 2),
    SKEIN_BASIC(UINT16_T, c_integer, u16, 2, 2, 2),
    SKEIN_BASIC(INT32_T, c_integer, i32, 4, 4, 4),
    SKEIN_BASIC(UINT32_T, c_integer, u32, 4, 4, 4),
    SKEIN_BASIC(INT64_T, c_integer, i64, 8, 8, 8),
    SKEIN_BASIC(UINT64_T, c_integer, u64, 8, 8, 8),
    SKEIN_BASIC(LOGICAL1, logical, i8, 1, 1, 1),
    SKEIN_BASIC(INTEGER1, fortran_integer, i8, 1, 1, 1),
    SKEIN_BASIC(LOGICAL2, logical, i16, 2, 2, 2),
    SKEIN_BASIC(INTEGER2, fortran_integer, i16, 2, 2, 2),
    SKEIN_BASIC(REAL2, floating, f16, 2, 2, 2),
    SKEIN_BASIC(LOGICAL4, logical, i32, 4, 4, 4),
    SKEIN_BASIC(INTEGER4, fortran_integer, i32, 4, 4, 4),
    SKEIN_BASIC(REAL4, floating, f32, 4, 4, 4),
    SKEIN_BASIC(COMPLEX4, complex, c16, 4, 2, 4),
    SKEIN_BASIC(LOGICAL8, logical, i64, 8, 8, 8),
    SKEIN_BASIC(INTEGER8, fortran_integer, i64, 8, 8, 8),
    SKEIN_BASIC(REAL8, floating, f64, 8, 8, 8),
    SKEIN_BASIC(COMPLEX8, complex, c32, 8, 4, 8),
    SKEIN_BASIC(LOGICAL16, logical, i128, 16, 16, 16),
    SKEIN_BASIC(INTEGER16, fortran_integer, i128, 16, 16, 16),
    SKEIN_BASIC(REAL16, floating, f128, 16, 16, 16),
    SKEIN_BASIC(COMPLEX16, complex, c64, 16, 8, 16),
    SKEIN_BASIC(COMPLEX32, complex, c128, 32, 16, 32),
    SKEIN_BASIC(LB, marker, none, 0, 1, 0),
    SKEIN_BASIC(UB, marker, none, 0, 1, 0),
};
#undef SKEIN_BASIC

/// The offset of a pair's index, and the types of value and index.
struct PairForm {
  Rep rep;
  std::int64_t index_offset;
  PairParts parts;
};

const PairForm pair_forms[] = {
    {Rep::f32_i32, 4, {MPI_FLOAT, MPI_INT}}, {Rep::f64_i32, 8, {MPI_DOUBLE, MPI_INT}},
    {Rep::i64_i32, 8, {MPI_LONG, MPI_INT}},  {Rep::i32_i32, 4, {MPI_INT, MPI_INT}},
    {Rep::i16_i32, 4, {MPI_SHORT, MPI_INT}}, {Rep::f80_i32, 16, {MPI_LONG_DOUBLE, MPI_INT}},
    {Rep::f32_f32, 4, {MPI_REAL, MPI_REAL}}, {Rep::f64_f64, 8, {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION}},
};

const PairForm& form_of(Rep pair) {
  const auto* const found = std::ranges::find(pair_forms, pair, &PairForm::rep);
  SKEIN_CHECK(found != std::end(pair_forms), "representation %d is no pair", static_cast<int>(pair));
  return *found;
}

}  // namespace

std::span<const BasicType> basic_types() { return basic_table; }

std::int64_t pair_index_offset(Rep pair) { return form_of(pair).index_offset; }

PairParts pair_parts(const BasicType& pair) {
  return pair.handle == MPI_2INTEGER ? PairParts{MPI_INTEGER, MPI_INTEGER} : form_of(pair.rep).parts;
}

}  // namespace skein::vmpi
