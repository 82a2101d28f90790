// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/all_pairs.hpp"

#include <algorithm>

namespace skein::load {
namespace {

/// Orders pairs as if drawn at random: the finalizer of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, OOPSLA
/// 2014).
std::uint64_t order_of(int from, int to) {
  std::uint64_t x = (std::uint64_t{static_cast<std::uint32_t>(from)} << 32 | static_cast<std::uint32_t>(to)) +
                    0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

}  // namespace

void AllPairs::add(int to, std::uint64_t bytes) {
  if (bytes == 0) return;
  ++messages_;
  bytes_ += bytes;
  const Partner partner{order_of(from_, to), to, bytes};
  const auto by_order = [](const Partner& a, const Partner& b) { return a.order < b.order; };
  const auto end = [&] { return partners_.begin() + static_cast<std::ptrdiff_t>(chosen_); };
  if (chosen_ == most_partners) {
    if (partners_[0].order <= partner.order) return;
    std::pop_heap(partners_.begin(), end(), by_order);
    --chosen_;
  }
  partners_[chosen_++] = partner;
  std::push_heap(partners_.begin(), end(), by_order);
}

void AllPairs::log(TrafficLog& traffic) const {
  unsigned __int128 theirs = 0;
  for (std::size_t i = 0; i < chosen_; ++i) theirs += partners_[i].bytes;
  std::uint64_t bytes_left = bytes_;
  for (std::size_t i = 0; i < chosen_; ++i) {
    const Partner& partner = partners_[i];
    const auto share =
        static_cast<std::uint64_t>(static_cast<unsigned __int128>(bytes_) * partner.bytes / theirs);
    const std::uint64_t bytes = i + 1 == chosen_ ? bytes_left : share;
    bytes_left -= bytes;
    traffic.note(partner.to, bytes, messages_ / chosen_ + (i < messages_ % chosen_));
  }
}

}  // namespace skein::load
