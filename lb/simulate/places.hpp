// SPDX-License-Identifier: Apache-2.0
// Small numbers for pairs of communicator and tag, of which a program has few, as a rule.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace skein::simulate {

inline constexpr std::uint16_t kNoPlace = 0xffff;

class TagPlaces {
 public:
  static constexpr std::uint32_t most = 1 << 12;

  struct Pair {
    std::uint32_t communicator;  // as in Channel
    std::int32_t tag;
  };
  /// Returns the number of a pair; kNoPlace if there are more pairs than numbers.
  std::uint16_t of(std::uint32_t communicator, std::int32_t tag) {
    const std::uint64_t key =
        static_cast<std::uint64_t>(communicator) << 32 | static_cast<std::uint32_t>(tag);
    if (const auto found = numbers_.find(key); found != numbers_.end()) return found->second;
    if (pairs_.size() == most) return kNoPlace;
    pairs_.push_back({communicator, tag});
    return numbers_[key] = static_cast<std::uint16_t>(pairs_.size() - 1);
  }
  const Pair& operator[](std::uint16_t place) const { return pairs_[place]; }

 private:
  std::unordered_map<std::uint64_t, std::uint16_t> numbers_;
  std::vector<Pair> pairs_;
};

}  // namespace skein::simulate
