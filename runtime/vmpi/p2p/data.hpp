// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/fiber/thread_block.hpp"
#include "runtime/vmpi/api.hpp"
#include "runtime/vmpi/datatype/packer.hpp"

namespace skein::vmpi {

/// The data that a program describes by (buffer, count, datatype).
struct Data {
  void* buffer = nullptr;  ///< as the program gave it
  MPI_Count count = 0;
  const Datatype* type = nullptr;
  std::size_t bytes = 0;  ///< packed size
  /// For a buffer among the program's thread-local variables: its place while the rank does not run
  /// (fiber/thread_block.hpp). Null for all others.
  std::byte* switched_out = nullptr;

  /// Returns the present address of the buffer.
  void* place() const {
    if (switched_out) [[unlikely]]
      return place_of_thread_local();
    return buffer;
  }
  /// The present addresses from the first byte of the data to the last. Precondition: there is at least one
  /// byte.
  struct Span {
    std::byte* begin;
    std::size_t bytes;
  };
  Span span() const;
  /// Returns the address of the data if it is one contiguous piece, else null.
  [[gnu::always_inline]] std::byte* contiguous() const {
    return type ? contiguous_data(place(), count, *type) : static_cast<std::byte*>(place());
  }
  /// Pack and unpack the bytes [offset, offset + size) of the packed form.
  void pack(std::size_t offset, std::byte* to, std::size_t size) const;
  void unpack(std::size_t offset, const std::byte* from, std::size_t size) const;

 private:
  void* place_of_thread_local() const;
};

/// Returns where a buffer among the program's thread-local variables is while the calling rank is switched
/// out.
std::byte* switched_out_place(const void* buffer);

/// Returns true if the address is among the program's thread-local variables.
inline bool among_thread_locals(const void* buffer) {
  const auto distance =
      static_cast<std::size_t>(fiber::thread_pointer() - static_cast<const std::byte*>(buffer));
  return distance - 1 < fiber::kProgramTlsRoom;
}

/// Makes data of plain bytes.
inline Data byte_data(void* buffer, std::size_t bytes) {
  return {buffer, static_cast<MPI_Count>(bytes), nullptr, bytes,
          among_thread_locals(buffer) ? switched_out_place(buffer) : nullptr};
}
inline Data make_data(const void* buffer, MPI_Count count, const Datatype& type) {
  return {const_cast<void*>(buffer), count, &type, static_cast<std::size_t>(count * type.size()),
          among_thread_locals(buffer) ? switched_out_place(buffer) : nullptr};
}

/// Copies like memcpy(), but without a call for one or two numbers, as many messages are.
[[gnu::always_inline]] inline void copy_block(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes - 8 > 8) {
    if (bytes > 0) memcpy(to, from, bytes);
    return;
  }
  std::uint64_t first, last;
  memcpy(&first, from, 8);
  memcpy(&last, from + bytes - 8, 8);
  memcpy(to, &first, 8);
  memcpy(to + bytes - 8, &last, 8);
}
void copy_other(const Data& from, const Data& to, std::size_t bytes);
/// Copies the first `bytes` bytes of the packed form of `from` into `to`.
[[gnu::always_inline]] inline void copy(const Data& from, const Data& to, std::size_t bytes) {
  const bool both_plain = !from.type && !to.type && !from.switched_out && !to.switched_out;
  if (both_plain) [[likely]]
    copy_block(static_cast<std::byte*>(to.buffer), static_cast<const std::byte*>(from.buffer), bytes);
  else
    copy_other(from, to, bytes);
}

}  // namespace skein::vmpi
