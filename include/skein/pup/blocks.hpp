// SPDX-License-Identifier: Apache-2.0
// Large vectors travel without being copied: they are sent from their own storage, and the received storage
// becomes that of the loaded vector. A block is such storage, beside the packed bytes.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "skein/pup/buffer.hpp"

namespace skein::pup {

/// Smaller vectors are copied: a transfer of their own would cost more.
inline constexpr std::size_t kLeastBlock = 16 * 1024;

/// The blocks of a packed object, in the order of packing.
class Blocks {
 public:
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory); }
  };
  using Memory = std::unique_ptr<std::byte, Free>;
  struct Block {
    const std::byte* data = nullptr;
    std::size_t bytes = 0;
    Memory memory;  ///< null: the packed object still owns it, and a keeper keeps that alive
  };
  /// The most blocks, so that one message can announce their sizes; further vectors are copied.
  static constexpr std::size_t most = 512;

  bool empty() const { return !contents_ || size() == 0; }
  std::size_t size() const;
  /// Returns how many more vectors may become blocks.
  std::size_t room() const;
  /// Lets no further vector become a block: all is packed as bytes.
  void close();
  std::size_t taken() const;
  const Block& operator[](std::size_t i) const;
  std::size_t bytes() const;

  void lend(const void* data, std::size_t bytes);
  /// Adds a block with its own memory, to be filled.
  std::byte* allocate(std::size_t bytes);
  /// Adds existing memory, which operator delete frees.
  void adopt(std::byte* memory, std::size_t bytes);
  /// Takes the next block in order. Throws CorruptBuffer unless it has `values` values of that size.
  Block next(std::uint64_t values, std::size_t value_bytes);

  /// Keeps the lender of blocks, or its memory, until the blocks end.
  void keep(std::shared_ptr<void> lender);

 private:
  struct Contents;
  struct End {
    void operator()(Contents* contents) const;
  };
  Contents& contents();
  std::unique_ptr<Contents, End> contents_;  // null in most messages
};

/// True if vectors of T can go as blocks: vectors with storage from operator new, whatever its type.
template <class T, class Allocator>
inline constexpr bool goes_as_block =
    std::is_same_v<Allocator, std::allocator<T>>&& std::is_trivially_copyable_v<T> &&
    alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;

#ifdef __GLIBCXX__
/// Sets the storage of a vector, for which the standard has no function. With libstdc++ its three pointers
/// are accessible as those of a base class; std::allocator would have called operator new as Blocks does.
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
