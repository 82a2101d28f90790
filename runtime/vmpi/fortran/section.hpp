// SPDX-License-Identifier: Apache-2.0
// Array sections with gaps, as MPI sees them: the elements of a section in array element order stand for a
// contiguous buffer, and a count and a datatype refer to places in this buffer (MPI 4.1, 19.1.12).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/fortran/descriptor.hpp"

namespace skein::vmpi::fortran {

/// Pieces of equal length, each contiguous, in `rank` dimensions, the first of which runs fastest. Dimensions
/// without gaps belong to the piece: a section of rank 0 is one piece.
struct Section {
  struct Dimension {
    std::int64_t extent;
    std::int64_t step;  ///< bytes, may be negative
  };
  explicit Section(const Descriptor& descriptor);

  std::byte* base;     ///< of the first element
  std::int64_t piece;  ///< bytes
  int rank = 0;
  Dimension dimensions[Descriptor::largest_rank];

  std::int64_t pieces() const;
  std::int64_t bytes() const { return pieces() * piece; }
  /// Returns the offset of a piece, in bytes from `base`.
  std::int64_t offset_of(std::int64_t index) const;
  /// Calls f(address) for each piece in array element order.
  template <class F>
  void for_each_piece(F f) const {
    const std::int64_t rows =
        rank == 0 ? 1 : pieces() / (dimensions[0].extent > 0 ? dimensions[0].extent : 1);
    const Dimension row = rank == 0 ? Dimension{1, 0} : dimensions[0];
    for (std::int64_t i = 0; i < rows; ++i) {
      std::byte* const begin = base + offset_of(i * row.extent);
      for (std::int64_t k = 0; k < row.extent; ++k) f(begin + k * row.step);
    }
  }
};

/// The place of the data of (count, type) in the buffer that a section stands for.
enum class Reach { first_piece, section, beyond };
Reach reach_of(const Section& section, std::int64_t count, const Datatype& type);

/// Makes a committed type, one instance of which at `section.base` is (count, type) in the buffer that the
/// section stands for. Precondition: the reach is `section`. Returns an MPI error class.
[[nodiscard]] int make_section_type(std::pmr::memory_resource& memory, const Section& section,
                                    std::int64_t count, const Datatype& type, Datatype** out);

}  // namespace skein::vmpi::fortran
