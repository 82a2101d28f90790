// SPDX-License-Identifier: Apache-2.0
// Data with one piece for each rank of a communicator, or for each neighbour, in any form of the call: equal
// pieces side by side, pieces with counts and displacements of either width, or pieces with a type each
// (MPI_Alltoallw).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/p2p/data.hpp"

namespace skein::vmpi {

/// An array argument that is int in a function and 64 bits wide in its _c form. The array remains the
/// program's.
class Numbers {
 public:
  Numbers() = default;
  Numbers(const int* narrow) : narrow_(narrow) {}     // NOLINT: stands for the argument
  Numbers(const std::int64_t* wide) : wide_(wide) {}  // NOLINT
  bool null() const { return !narrow_ && !wide_; }
  std::int64_t operator[](int i) const { return narrow_ ? narrow_[i] : wide_[i]; }
  /// Makes the array readable while another rank runs: moves the address by `away` if the array is among its
  /// rank's thread-local variables.
  void switch_out(std::ptrdiff_t away) {
    if (narrow_ && among_thread_locals(narrow_)) narrow_ = moved(narrow_, away);
    if (wide_ && among_thread_locals(wide_)) wide_ = moved(wide_, away);
  }

 private:
  template <class T>
  static const T* moved(const T* array, std::ptrdiff_t away) {
    return reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(array) + away);
  }

  const int* narrow_ = nullptr;
  const std::int64_t* wide_ = nullptr;
};

/// Pieces of data, one for each rank. Trivially copyable: a nonblocking collective keeps them in the slot.
struct Blocks {
  void* buffer = nullptr;
  const Datatype* type = nullptr;
  std::int64_t count = 0;  ///< of each piece, if `counts` is null
  Numbers counts;          ///< by rank
  Numbers displacements;   ///< by rank; in extents of `type`, or in bytes where `types` is set
  const Datatype* const* types = nullptr;  ///< by rank, in the slot

  bool regular() const { return counts.null(); }
  Data operator[](int rank) const {
    const Datatype& of = types ? *types[rank] : *type;
    const std::int64_t pieces = regular() ? count : counts[rank];
    const std::int64_t at =
        regular() ? rank * count * of.extent() : displacements[rank] * (types ? 1 : of.extent());
    return make_data(static_cast<std::byte*>(buffer) + at, pieces, of);
  }
  /// Returns the packed size of each piece. Precondition: regular.
  std::size_t piece_bytes() const { return static_cast<std::size_t>(count * type->size()); }
  /// Returns the packed size of all pieces of `ranks` ranks.
  std::size_t total(int ranks) const {
    if (regular()) return piece_bytes() * static_cast<std::size_t>(ranks);
    std::size_t sum = 0;
    for (int i = 0; i < ranks; ++i) sum += (*this)[i].bytes;
    return sum;
  }
};

}  // namespace skein::vmpi
