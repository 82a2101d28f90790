// SPDX-License-Identifier: Apache-2.0
// The descriptor that gfortran passes for `type(*), dimension(..)`, which says where the elements of an array
// or of a section are. Procedures with BIND(C) would get a CFI_cdesc_t instead; but a tool's MPI_Send_f08ts,
// which may stand in front of the launcher's, is an ordinary Fortran procedure (MPI 4.1, 19.1.5).
//
// The layout is that of libgfortran 5 (GCC 8 and later), libgfortran.h. Observed, but documented nowhere:
//
//   byte step of a dimension = stride * span
//   size of an element       = span; for a polymorphic array element_bytes is that of the declared type
//   assumed size             = the last upper bound is -1
//   a copy by the compiler   = all lower bounds are 0; those of arrays passed in place count from 1
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
  std::ptrdiff_t span;                 ///< 0 for null pointers
  Dimension dimensions[largest_rank];  ///< only the first `rank` exist
};
static_assert(offsetof(Descriptor, span) == 32 && offsetof(Descriptor, dimensions) == 40);

/// Returns true if the elements are one behind the other, in array element order, as in scalars and arrays of
/// assumed size.
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

/// Returns true if the array is a copy by the compiler, which disappears when the call returns: of an
/// expression, or of a component or a substring of each element of an array. A pointer or an allocatable
/// array of assumed rank whose bounds begin at 0 looks the same.
inline bool is_temporary(const Descriptor& d) {
  if (d.rank == 0 || d.dimensions[d.rank - 1].upper == -1) return false;
  for (int i = 0; i < d.rank; ++i)
    if (d.dimensions[i].lower != 0) return false;
  return in_one_piece(d);
}

/// Returns true if a buffer is in one piece and stays so after the call.
[[gnu::noinline]] inline bool stays_in_one_piece(const Descriptor& d) {
  return in_one_piece(d) && !is_temporary(d);
}

/// Returns true if it is obvious that the buffer stays in one piece: for elements and arrays of one
/// dimension.
[[gnu::always_inline]] inline bool is_plain(const Descriptor& d) {
  if (d.rank == 0) return true;
  return d.rank == 1 && d.dimensions[0].stride == 1 && d.dimensions[0].lower != 0;
}

}  // namespace skein::vmpi::fortran
