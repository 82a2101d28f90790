// SPDX-License-Identifier: Apache-2.0
// The basic types of MPI, which all typemaps consist of. One row for each named type, with its handle in the
// standard ABI; sizes and alignments are those of the System V x86-64 C ABI and of gfortran's default kinds.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/vmpi/api.hpp"

namespace skein::vmpi {

/// The groups by which the standard (section "Predefined Reduction Operations") defines which reductions a
/// type allows.
enum class TypeClass : std::uint8_t {
  character,  ///< text; not reducible, MPI_CHAR excepted (see op.hpp)
  c_integer,
  fortran_integer,
  floating,
  logical,
  complex,
  byte,
  multi_language,  ///< MPI_AINT, MPI_COUNT, MPI_OFFSET
  packed,
  marker,  ///< MPI_LB and MPI_UB of MPI-1: no data, only a bound
  pair     ///< value and index, for MPI_MINLOC and MPI_MAXLOC
};

/// The machine's representation of an element.
enum class Rep : std::uint8_t {
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  i128,
  f16,
  f32,
  f64,
  f80,
  f128,
  c16,
  c32,
  c64,
  c80,
  c128,  ///< complex of two f16, f32, ...
  boolean,
  f32_i32,
  f64_i32,
  i64_i32,
  i32_i32,
  i16_i32,
  f80_i32,
  f32_f32,
  f64_f64,
  none
};

struct BasicType {
  MPI_Datatype handle;
  const char* name;
  TypeClass type_class;
  Rep rep;
  std::uint8_t size;             ///< bytes of data; a pair's excludes padding
  std::uint8_t alignment;        ///< bytes
  std::uint8_t external32_size;  ///< bytes in the "external32" representation
};

/// Returns all named types, pairs included, by ascending handle. Static data: valid everywhere, for ever.
std::span<const BasicType> basic_types();

/// Returns the distance in bytes from the value to the index of a pair, as a C compiler lays out struct
/// {value; index;}.
std::int64_t pair_index_offset(Rep pair);

/// The types of the value and of the index of a pair.
struct PairParts {
  MPI_Datatype value, index;
};
PairParts pair_parts(const BasicType& pair);

}  // namespace skein::vmpi
