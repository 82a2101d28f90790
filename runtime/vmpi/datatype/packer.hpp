// SPDX-License-Identifier: Apache-2.0
// Packing: moving (buffer, count, datatype) to and from a stream of bytes, which is what messages carry. The
// packed form is the bytes of the basic elements in typemap order, without padding, in the machine's
// representation.
//
// All functions take committed types only, are callable from anywhere and never switch. Buffers may be
// absolute: a null buffer with a type whose displacements are addresses (MPI_BOTTOM) works.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/vmpi/datatype/datatype.hpp"

namespace skein::vmpi {

/// Where the layout's root stands. Computed on integers because the buffer may be null (MPI_BOTTOM).
inline std::byte* root_address(const void* buffer, const Datatype& type) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::intptr_t>(buffer) + type.layout().root.offset);
}

/// The bytes of a message, if they lie in one block already, else null. Lets the transport use the user's
/// buffer. Null too for a message without bytes.
inline std::byte* contiguous_data(const void* buffer, std::int64_t count, const Datatype& type) {
  const bool one_block = type.dense() || (count == 1 && type.contiguous());
  return one_block && count != 0 && type.size() != 0 ? root_address(buffer, type) : nullptr;
}

/// Copies bytes [from, to) of the packed stream of (buffer, count, type) to `out`, respectively from `in`.
/// Finding `from` costs O(depth of the type + log of its lists), so a large message may go in pieces of any
/// size, in any order.
void pack_range(const void* buffer, std::int64_t count, const Datatype& type, std::int64_t from,
                std::int64_t to, void* out);
void unpack_range(void* buffer, std::int64_t count, const Datatype& type, std::int64_t from, std::int64_t to,
                  const void* in);

/// All of it; returns the bytes packed, count * type.size().
std::int64_t pack(const void* buffer, std::int64_t count, const Datatype& type, void* out);
/// At most `bytes`, which need not end at an element.
std::int64_t unpack(void* buffer, std::int64_t count, const Datatype& type, const void* in,
                    std::int64_t bytes);

/// Moves between two buffers of one process that do not overlap, without an intermediate copy if either is
/// contiguous, else through a small one on the stack. Moves as many bytes as the smaller side has and returns
/// them.
std::int64_t copy_typed(const void* from, std::int64_t from_count, const Datatype& from_type, void* to,
                        std::int64_t to_count, const Datatype& to_type);

/// A message on its way out, in pieces. Holds no state but its position, so it moves with its rank.
class Packer {
 public:
  Packer(const void* buffer, std::int64_t count, const Datatype& type)
      : buffer_(buffer), count_(count), type_(&type) {}
  std::int64_t total() const { return count_ * type_->size(); }
  std::int64_t position() const { return position_; }
  bool done() const { return position_ == total(); }
  /// Packs the next bytes, at most `capacity`; returns how many.
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

/// A message on its way in.
class Unpacker {
 public:
  Unpacker(void* buffer, std::int64_t count, const Datatype& type)
      : buffer_(buffer), count_(count), type_(&type) {}
  std::int64_t total() const { return count_ * type_->size(); }
  std::int64_t position() const { return position_; }
  /// Unpacks the next bytes, at most what the buffer has room for; returns how many.
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
