// SPDX-License-Identifier: Apache-2.0
// The blocks of a slot heap in memory. Boundary tags after Knuth (TAOCP 1, 2.5, algorithm C), with the footer
// only in free blocks.
//
//   word | payload ...............                 live: payload is the caller's
//   word | next | previous | ... | size            free: in a bin, both neighbours are not free
//   word | next | ...                              cached: in a list of its size, counts as used for
//   neighbours
//
// Blocks tile [heap begin, wilderness) without gaps. A block starts 8 bytes below a multiple of 16, so that
// payloads are 16-byte aligned with 8 bytes of overhead.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "runtime/arena/arena.hpp"

namespace skein::arena::heap_detail {

inline constexpr std::size_t kHeaderBytes = 8;
inline constexpr std::size_t kLeastBlock = 32;               ///< room for a free block's links and footer
inline constexpr std::size_t kLargeBlock = 64 * 1024;        ///< from here on, freed pages are accounted for
inline constexpr std::size_t kCachedBelow = 8 * 1024 + 16;   ///< smaller blocks go to a cache list when freed
inline constexpr std::size_t kLargestCachedRequest = 7680;   ///< larger requests do not look into cache lists
inline constexpr std::size_t kLeastCacheLimit = 128 * 1024;  ///< bytes in the cache that are always fine
inline constexpr std::size_t kMostCacheLimit = 2 << 20;      ///< unless much more is in use
inline constexpr std::size_t kCacheLists = 64;               ///< indexes of cache_index()
inline constexpr std::size_t kBinCount = 27 * 8;             ///< indexes of bin_index()
inline constexpr std::size_t kLargestRequest = PTRDIFF_MAX;  ///< as in the C library

/// A span of addresses, whole pages or not.
struct Extent {
  std::byte* begin = nullptr;
  std::byte* end = nullptr;
  std::size_t bytes() const { return end > begin ? static_cast<std::size_t>(end - begin) : 0; }
  Extent clipped_to(Extent other) const {
    Extent both{std::max(begin, other.begin), std::min(end, other.end)};
    return both.bytes() ? both : Extent{};
  }
};

inline std::byte* page_floor(std::byte* p) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(p) & ~(kPageBytes - 1));
}
inline std::byte* page_ceiling(std::byte* p) { return page_floor(p + kPageBytes - 1); }

/// In the top 16 bits of the word: distinguishes pointers that free() may get from others.
enum class BlockState : std::uint16_t { live = 0x51ab, cached = 0xcac8, free = 0xf4ee };

/// May alias: callers store their own types into payloads, and the fast paths are inlined between such
/// stores.
struct __attribute__((may_alias)) Block {
  std::uint64_t word;  ///< state << 48 | size | previous_free
  Block* next;         ///< cached and free blocks
  Block* previous;     ///< free blocks
  Extent clean;  ///< free blocks of at least kLargeBlock: whole pages in it that read as zeroes, untouched

  static constexpr std::uint64_t previous_free_bit = 1;
  static constexpr std::uint64_t size_mask = (std::uint64_t{1} << 48) - 16;

  static Block* of(const void* payload) {
    return reinterpret_cast<Block*>(const_cast<std::byte*>(static_cast<const std::byte*>(payload)) -
                                    kHeaderBytes);
  }
  std::byte* address() { return reinterpret_cast<std::byte*>(this); }
  void* payload() { return address() + kHeaderBytes; }

  std::size_t size() const { return word & size_mask; }
  BlockState state() const { return static_cast<BlockState>(word >> 48); }
  bool previous_is_free() const { return word & previous_free_bit; }

  void set(BlockState state, std::size_t size) {
    word = std::uint64_t{static_cast<std::uint16_t>(state)} << 48 | size;
  }
  void set_state(BlockState state) {
    word = (word & ~(std::uint64_t{0xffff} << 48)) | std::uint64_t{static_cast<std::uint16_t>(state)} << 48;
  }
  void set_size(std::size_t size) { word = (word & ~size_mask) | size; }
  void set_previous_free(bool free) { word = free ? word | previous_free_bit : word & ~previous_free_bit; }

  Block* after() { return reinterpret_cast<Block*>(address() + size()); }
  /// Returns the previous block. Precondition: previous_is_free().
  Block* before() {
    return reinterpret_cast<Block*>(address() - reinterpret_cast<Block*>(address() - kHeaderBytes)->word);
  }
  void write_footer() { reinterpret_cast<Block*>(address() + size() - kHeaderBytes)->word = size(); }

  bool is_large() const { return size() >= kLargeBlock; }
  /// Returns the whole pages of a free block that hold neither its links nor its footer.
  Extent pages() {
    return Extent{page_ceiling(address() + sizeof(Block)), page_floor(address() + size() - kHeaderBytes)};
  }
};

constexpr std::size_t floor_log2(std::size_t n) { return static_cast<std::size_t>(std::bit_width(n)) - 1; }

/// Returns the size of the block for a request. From 512 bytes to 7.5 KiB in eight steps a doubling, so that
/// every block of a cache list serves every request that looks there; the steps are such that powers of two
/// waste nothing. Precondition: bytes <= kLargestRequest.
constexpr std::size_t block_bytes(std::size_t bytes) {
  const std::size_t size = std::max(kLeastBlock, (bytes + kHeaderBytes + 15) & ~std::size_t{15});
  const std::size_t room = size - 16;
  if (room <= 512 || bytes > kLargestCachedRequest) return size;
  const std::size_t step = std::size_t{1} << (floor_log2(room) - 3);
  return ((room + step - 1) & ~(step - 1)) + 16;
}

/// Returns the list for freed blocks of this size, and for requests of block_bytes() == size. Precondition:
/// kLeastBlock <= size < kCachedBelow.
constexpr std::size_t cache_index(std::size_t size) {
  const std::size_t room = size - 16;
  if (room < 512) return room / 16;
  const std::size_t log = floor_log2(room);
  return 32 + (log - 9) * 8 + ((room >> (log - 3)) & 7);
}

/// Returns the bin of a size. Eight steps a doubling, from 32 bytes; the last bin takes everything of at
/// least 3.75 GiB. (With four steps, a mix of sizes from 16 bytes to 4 MiB took a fifth more addresses.)
constexpr std::size_t bin_index(std::size_t size) {
  const std::size_t log = floor_log2(size);
  return std::min((log - 5) * 8 + ((size >> (log - 3)) & 7), kBinCount - 1);
}

static_assert(cache_index(kLeastBlock) == 1 && cache_index(512) == 31 && cache_index(512 + 16) == 32);
static_assert(cache_index(block_bytes(kLargestCachedRequest)) == kCacheLists - 1);
static_assert(cache_index(kCachedBelow - 16) == kCacheLists - 1);
static_assert(block_bytes(4096) == 4096 + 16 && block_bytes(4105) == 4096 + 512 + 16);
static_assert(bin_index(kLeastBlock) == 0 && bin_index(std::size_t{15} << 28) == kBinCount - 1);
static_assert(bin_index((std::size_t{15} << 28) - 16) == kBinCount - 2);

}  // namespace skein::arena::heap_detail
