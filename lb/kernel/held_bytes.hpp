// SPDX-License-Identifier: Apache-2.0
// The bytes that each PE holds (SharedBlocks in skein/lb/snapshot.hpp): those of its objects, and once those
// of each block that these objects read.
#pragma once
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

class HeldBytes {
 public:
  /// O(n), or O(n log n) if objects read blocks.
  HeldBytes(const Snapshot& snapshot, std::span<const PeIndex> pe_of) : snapshot_(snapshot) {
    held_.resize(snapshot.pe_count(), 0);
    for (ObjectIndex i = 0; i < pe_of.size(); ++i) add(i, pe_of[i], snapshot.objects.bytes[i]);
  }

  std::uint64_t operator[](PeIndex pe) const { return held_[pe]; }
  const std::vector<std::uint64_t>& of_pe() const { return held_; }

  /// Returns by how much the PE's bytes would grow with `bytes` of the object, of which it has nothing yet.
  std::uint64_t with(ObjectIndex i, PeIndex pe, std::uint64_t bytes) const {
    const std::uint32_t block = block_of(i);
    const bool is_new = block != kNoBlock && !readers_.contains({pe, block});
    return bytes + (is_new ? snapshot_.blocks.bytes[block] : 0);
  }

  /// Adds `bytes` of the object, or of a part of it, to the PE.
  void add(ObjectIndex i, PeIndex pe, std::uint64_t bytes) {
    held_[pe] += with(i, pe, bytes);
    if (block_of(i) != kNoBlock) ++readers_[{pe, block_of(i)}];
  }

  /// Removes the whole object from the PE.
  void remove(ObjectIndex i, PeIndex pe) {
    held_[pe] -= snapshot_.objects.bytes[i];
    const std::uint32_t block = block_of(i);
    if (block == kNoBlock || --readers_[{pe, block}] > 0) return;
    readers_.erase({pe, block});
    held_[pe] -= snapshot_.blocks.bytes[block];
  }

  /// Returns the number of readers by PE and block, without pairs that have none.
  const std::map<std::pair<PeIndex, std::uint32_t>, std::size_t>& readers() const { return readers_; }

 private:
  std::uint32_t block_of(ObjectIndex i) const {
    return snapshot_.blocks.empty() ? kNoBlock : snapshot_.blocks.of_object[i];
  }

  const Snapshot& snapshot_;
  std::vector<std::uint64_t> held_;
  std::map<std::pair<PeIndex, std::uint32_t>, std::size_t> readers_;
};

}  // namespace skein::lb
