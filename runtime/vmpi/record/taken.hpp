// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein::vmpi {

/// What is beside a request (RequestTable::mark_of): its number, whether it has one, and whether which
/// message it got is to be told. An MPI_Isendrecv has two numbers and a neighbourhood collective any number
/// of them, of which it is the last one.
struct Mark {
  static constexpr std::uint32_t is_numbered = 1u << 31, has_several = 1u << 30, is_wild = 1u << 29,
                                 number = is_wild - 1;
};

/// Of the Wait or Test that takes results at the moment: the numbers of its requests.
class Taken {
 public:
  void add(std::uint32_t number) {
    if (count_ == numbers_.size()) [[unlikely]]
      numbers_.resize(2 * count_ + 16);
    numbers_[count_++] = number;
  }
  void clear() { count_ = 0; }
  std::size_t count() const { return count_; }

  /// How many requests were started after each, up to `last`: as numbers of one byte, if that says it.
  bool distances(std::uint32_t last, std::uint64_t& first, std::uint64_t& second) const {
    if (count_ > 16) return false;
    std::uint32_t all = 0;
    first = second = 0;
    const auto add = [&](std::uint64_t& word, std::size_t k) {
      const std::uint32_t after = (last - numbers_[k]) & Mark::number;
      all |= after;
      word = word << 8 | after;
    };
    for (std::size_t k = 0; k < count_ && k < 8; ++k) add(first, k);
    for (std::size_t k = 8; k < count_; ++k) add(second, k);
    return all < 256;
  }
  /// The same as a list, which lasts until the next call.
  std::span<const std::uint64_t> list(std::uint32_t last) {
    list_.clear();
    for (std::size_t k = 0; k < count_; ++k) list_.push_back((last - numbers_[k]) & Mark::number);
    return list_;
  }

 private:
  std::vector<std::uint32_t> numbers_;  // longer than what is used
  std::size_t count_ = 0;
  std::vector<std::uint64_t> list_;
};

}  // namespace skein::vmpi
