// SPDX-License-Identifier: Apache-2.0
// Keeps equal rows of bytes once: the one that came first.
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lb/simulate/large_pages.hpp"

namespace skein::simulate {

class EqualBytes {
 public:
  using Bytes = std::span<const std::uint8_t>;

  /// The first that is equal. If there is none yet it is what keep(bytes) returns, which is equal to them and
  /// stays where it is; it keeps nothing else here meanwhile.
  template <class Keep>
  const std::uint8_t* first_of(Bytes bytes, Keep keep) {
    const std::uint64_t hash = hash_of(bytes);
    std::size_t at = place(bytes, hash);
    if (entries_[at].bytes) return entries_[at].bytes;
    if (2 * ++used_ > entries_.size()) {
      grow();
      at = place(bytes, hash);
    }
    entries_[at] = {hash, keep(bytes), bytes.size()};
    return entries_[at].bytes;
  }

 private:
  struct Entry {
    std::uint64_t hash;
    const std::uint8_t* bytes = nullptr;  // null: the entry is free
    std::size_t size;
  };

  static std::uint64_t hash_of(Bytes bytes) {
    std::uint64_t hash = bytes.size();
    const auto mix = [&](std::uint64_t word) { hash = ((hash ^ hash >> 29) + word) * 0x9e3779b97f4a7c15; };
    for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t))) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data(), sizeof word);
      mix(word);
    }
    for (const std::uint8_t byte : bytes) mix(byte);
    return hash ^ hash >> 32;
  }
  /// Where they are, or would be.
  std::size_t place(Bytes bytes, std::uint64_t hash) const {
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      const Entry& entry = entries_[i];
      if (!entry.bytes || (entry.hash == hash && entry.size == bytes.size() &&
                           std::memcmp(entry.bytes, bytes.data(), bytes.size()) == 0))
        return i;
    }
  }
  void grow() {
    LargeVector<Entry> old(2 * entries_.size());
    std::swap(old, entries_);
    for (const Entry& entry : old)
      if (entry.bytes) entries_[place({entry.bytes, entry.size}, entry.hash)] = entry;
  }

  LargeVector<Entry> entries_ = LargeVector<Entry>(64);  // a power of two of them
  std::size_t used_ = 0;
};

}  // namespace skein::simulate
