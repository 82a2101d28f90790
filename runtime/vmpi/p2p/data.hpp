// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/vmpi/api.hpp"

namespace skein::vmpi {

class Datatype;

/// What a program means by (buffer, count, datatype): typed data somewhere in its memory.
struct Data {
  void* buffer = nullptr;  ///< as the program gave it
  MPI_Count count = 0;
  const Datatype* type = nullptr;
  std::size_t bytes = 0;  ///< packed size
  /// Of a buffer among the program's thread-local variables: where it is while its rank does not run
  /// (fiber/thread_block.hpp). Null for all others.
  std::byte* switched_out = nullptr;

  /// Where the buffer is now.
  void* place() const;
  /// The place of the data if it is one contiguous piece, else null.
  std::byte* contiguous() const;
  /// Bytes [offset, offset + size) of the packed form.
  void pack(std::size_t offset, std::byte* to, std::size_t size) const;
  void unpack(std::size_t offset, const std::byte* from, std::size_t size) const;
};

/// Plain bytes.
Data byte_data(void* buffer, std::size_t bytes);
Data make_data(const void* buffer, MPI_Count count, const Datatype& type);

/// Copies the first `bytes` of the packed form of one to the other.
void copy(const Data& from, const Data& to, std::size_t bytes);

}  // namespace skein::vmpi
