// SPDX-License-Identifier: Apache-2.0
// Packing: moving (buffer, count, datatype) to and from a stream of bytes, which messages carry. The packed
// form has the bytes of the basic elements in typemap order, without padding, in the machine's
// representation.
//
// All functions take committed types only, are callable from anywhere and never switch. Buffers may be
// absolute: a null buffer with a type whose displacements are addresses (MPI_BOTTOM) works.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/vmpi/datatype/datatype.hpp"

namespace skein::vmpi {

/// Returns the address of the layout's root. Computed on integers because the buffer may be null
/// (MPI_BOTTOM).
inline std::byte* root_address(const void* buffer, const Datatype& type) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::intptr_t>(buffer) + type.layout().root.offset);
}

/// Returns the address of a message's bytes if they are one block already, else null; also null for a message
/// without bytes. Lets the transport use the user's buffer.
inline std::byte* contiguous_data(const void* buffer, std::int64_t count, const Datatype& type) {
  const bool one_block = type.dense() || (count == 1 && type.contiguous());
  return one_block && count != 0 && type.size() != 0 ? root_address(buffer, type) : nullptr;
}

/// Copy bytes [from, to) of the packed stream of (buffer, count, type) to `out`, or from `in`. Finding `from`
/// costs O(depth of the type + log of its lists), so a large message may go in pieces of any size, in any
/// order.
void pack_range(const void* buffer, std::int64_t count, const Datatype& type, std::int64_t from,
                std::int64_t to, void* out);
void unpack_range(void* buffer, std::int64_t count, const Datatype& type, std::int64_t from, std::int64_t to,
                  const void* in);

/// Packs all data; returns the bytes packed, count * type.size().
std::int64_t pack(const void* buffer, std::int64_t count, const Datatype& type, void* out);
/// Unpacks at most `bytes` bytes, which need not end at an element; returns the bytes unpacked.
std::int64_t unpack(void* buffer, std::int64_t count, const Datatype& type, const void* in,
                    std::int64_t bytes);

/// Copies between two buffers of one process that do not overlap, without an intermediate copy if either is
/// contiguous, else through a small one on the stack. Copies as many bytes as the smaller side has, and
/// returns their number.
std::int64_t copy_typed(const void* from, std::int64_t from_count, const Datatype& from_type, void* to,
                        std::int64_t to_count, const Datatype& to_type);

/// Packs a message in pieces. Holds no state but its position, so it moves with its rank.
class Packer {
 public:
  Packer(const void* buffer, std::int64_t count, const Datatype& type)
      : buffer_(buffer), count_(count), type_(&type) {}
  std::int64_t total() const { return count_ * type_->size(); }
  std::int64_t position() const { return position_; }
  bool done() const { return position_ == total(); }
  /// Packs the next bytes, at most `capacity`; returns their number.
  std::int64_t next(void* out, std::int64_t capacity) {
    const std::int64_t left = total() - position_;
    const std::int64_t bytes = capacity < left ? capacity : left;
    pack_range(buffer_, count_, *type_, position_, position_ + bytes, out);
    position_ += bytes;
    return bytes;
  }

 private:
  const void* buffer_;
  std::int64_t count_;
  const Datatype* type_;
  std::int64_t position_ = 0;
};

/// Unpacks a message in pieces.
class Unpacker {
 public:
  Unpacker(void* buffer, std::int64_t count, const Datatype& type)
      : buffer_(buffer), count_(count), type_(&type) {}
  std::int64_t total() const { return count_ * type_->size(); }
  std::int64_t position() const { return position_; }
  /// Unpacks the next bytes, at most as many as the buffer has room for; returns their number.
  std::int64_t next(const void* in, std::int64_t bytes) {
    const std::int64_t left = total() - position_;
    if (bytes > left) bytes = left;
    unpack_range(buffer_, count_, *type_, position_, position_ + bytes, in);
    position_ += bytes;
    return bytes;
  }

 private:
  void* buffer_;
  std::int64_t count_;
  const Datatype* type_;
  std::int64_t position_ = 0;
};

}  // namespace skein::vmpi
