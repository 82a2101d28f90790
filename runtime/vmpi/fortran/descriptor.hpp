// SPDX-License-Identifier: Apache-2.0
// What gfortran passes for `type(*), dimension(..)`: a descriptor of its own, which tells where the elements
// of an array or of a section of one lie. Procedures with BIND(C) would get a CFI_cdesc_t in its place; but a
// tool's MPI_Send_f08ts, which stands in front of ours, is an ordinary Fortran procedure (MPI 4.1, 19.1.5).
//
// The layout is that of libgfortran 5 (GCC 8 and later), libgfortran.h. What is seen there and told nowhere:
//
//   byte step of a dimension = stride * span
//   size of an element       = span; element_bytes is that of the declared type where the array is
//   polymorphic assumed size             = the last upper bound is -1 a copy by the compiler   = all lower
//   bounds are 0; those of arrays that it passes as they are count from
//   1
#pragma once

#include <cstddef>
#include <cstdint>

namespace skein::vmpi::fortran {

struct Descriptor {
  static constexpr int largest_rank = 15;
  struct Dimension {
    std::ptrdiff_t stride;
    std::ptrdiff_t lower;
    std::ptrdiff_t upper;
    std::int64_t extent() const { return upper - lower + 1; }
  };

  std::byte* base;
  std::size_t offset;
  std::size_t element_bytes;
  std::int32_t version;
  std::int8_t rank;
  std::int8_t type;
  std::int16_t attribute;
  std::ptrdiff_t span;                 ///< 0 of null pointers
  Dimension dimensions[largest_rank];  ///< as many as `rank` are there
};
static_assert(offsetof(Descriptor, span) == 32 && offsetof(Descriptor, dimensions) == 40);

/// Whether the elements lie one behind the other, in array element order. Scalars and arrays of assumed size
/// do.
[[gnu::noinline]] inline bool in_one_piece(const Descriptor& d) {
  std::int64_t next = d.span;
  for (int i = 0; i < d.rank; ++i) {
    const Descriptor::Dimension& dimension = d.dimensions[i];
    const std::int64_t extent = dimension.extent();
    if (extent != 1 && dimension.stride * d.span != next) return false;
    next *= extent;
  }
  return true;
}

/// Whether the compiler has made a copy, which is gone when the call returns: of an expression, or of a
/// component or a substring of each element of an array. A pointer or an allocatable array of assumed rank
/// whose bounds begin at 0 looks the same.
inline bool is_temporary(const Descriptor& d) {
  if (d.rank == 0 || d.dimensions[d.rank - 1].upper == -1) return false;
  for (int i = 0; i < d.rank; ++i)
    if (d.dimensions[i].lower != 0) return false;
  return in_one_piece(d);
}

/// For a buffer that is used when the call is over.
[[gnu::noinline]] inline bool stays_in_one_piece(const Descriptor& d) {
  return in_one_piece(d) && !is_temporary(d);
}

/// What can be told at a glance, of elements and of arrays of one dimension: that it stays in one piece.
[[gnu::always_inline]] inline bool is_plain(const Descriptor& d) {
  if (d.rank == 0) return true;
  return d.rank == 1 && d.dimensions[0].stride == 1 && d.dimensions[0].lower != 0;
}

}  // namespace skein::vmpi::fortran
