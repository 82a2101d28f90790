// SPDX-License-Identifier: Apache-2.0
// Large vectors travel without being copied: they are sent from where they are, and the storage that was
// received becomes that of the vector that is loaded. A block is such storage, beside the packed bytes.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "skein/pup/buffer.hpp"

namespace skein::pup {

/// Vectors of fewer bytes are copied: a transfer of their own would cost more.
inline constexpr std::size_t kLeastBlock = 16 * 1024;

/// The blocks of something packed, in the order of packing.
class Blocks {
 public:
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory); }
  };
  using Memory = std::unique_ptr<std::byte, Free>;
  struct Block {
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
    Memory memory;  ///< null: what was packed still has it, and a keeper keeps that
  };
  /// At most so many, so that their sizes can be announced in one message; vectors beyond are copied.
  static constexpr std::size_t most = 512;

  bool empty() const { return !contents_ || size() == 0; }
  std::size_t size() const;
  /// How many more vectors may become blocks.
  std::size_t room() const;
  /// None may: all is to be in the packed bytes.
  void close();
  std::size_t taken() const;
  const Block& operator[](std::size_t i) const;
  std::size_t bytes() const;

  void lend(const void* data, std::size_t bytes);
  /// A block of its own, to be filled.
  std::byte* allocate(std::size_t bytes);
  /// One that exists, and that operator delete frees.
  void adopt(std::byte* memory, std::size_t bytes);
  /// The next in order. Throws CorruptBuffer unless it has so many values of so many bytes.
  Block next(std::uint64_t values, std::size_t value_bytes);

  /// Holds on to what lends blocks, or its memory, until the blocks end.
  void keep(std::shared_ptr<void> lender);

 private:
  struct Contents;
  struct End {
    void operator()(Contents* contents) const;
  };
  Contents& contents();
  std::unique_ptr<Contents, End> contents_;  // null in most messages
};

/// Whether vectors of T go as blocks: those with storage from operator new, whatever its type.
template <class T, class Allocator>
inline constexpr bool goes_as_block =
    std::is_same_v<Allocator, std::allocator<T>>&& std::is_trivially_copyable_v<T> &&
    alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;

#ifdef __GLIBCXX__
/// The standard offers no way of giving a vector its storage. With libstdc++ its three pointers are reached
/// as those of a base class; std::allocator would have called operator new as Blocks does.
template <class T>
class VectorStorage : std::vector<T> {
 public:
  static void give(std::vector<T>& vector, Blocks::Memory memory, std::size_t values) {
    std::vector<T>().swap(vector);
    auto& pointers = vector.*(&VectorStorage::_M_impl);
    pointers._M_start = reinterpret_cast<T*>(memory.release());
    pointers._M_finish = pointers._M_end_of_storage = pointers._M_start + values;
  }
};
#endif

template <class T>
void load_block(std::vector<T>& vector, Blocks::Block block) {
#ifdef __GLIBCXX__
  if (block.memory) return VectorStorage<T>::give(vector, std::move(block.memory), block.bytes / sizeof(T));
#endif
  const auto* const from = reinterpret_cast<const T*>(block.data);
  vector.assign(from, from + block.bytes / sizeof(T));
}

}  // namespace skein::pup
