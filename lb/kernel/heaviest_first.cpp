// SPDX-License-Identifier: Apache-2.0
// Radix sort, least significant digit first, of (key, index) pairs packed in 64 bits. The bits of a
// non-negative float are ordered like the float; their complement puts the heaviest first. With three digits
// of 11 bits the counters of a digit (8 KiB) stay in the first-level cache; a pass over equal digits is
// skipped.
#include "lb/kernel/heaviest_first.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <utility>

namespace skein::lb {
namespace {

constexpr int kDigitBits = 11;
constexpr int kDigits = 3;
constexpr std::uint32_t kBuckets = 1u << kDigitBits;

std::uint32_t digit_of(std::uint64_t item, int digit) {
  return (item >> (32 + digit * kDigitBits)) & (kBuckets - 1);
}

std::uint64_t pack(double load, ObjectIndex index) {
  const float key = static_cast<float>(std::min<double>(load, std::numeric_limits<float>::max()));
  return std::uint64_t{~std::bit_cast<std::uint32_t>(key)} << 32 | index;
}

}  // namespace

std::vector<ObjectIndex> heaviest_first(const Objects& objects, std::span<const std::uint8_t> of_pe) {
  const std::size_t n = objects.size();
  const auto buffers = std::make_unique_for_overwrite<std::uint64_t[]>(2 * n);
  std::uint64_t* items = buffers.get();
  std::uint64_t* spare = items + n;

  std::array<std::array<std::uint32_t, kBuckets>, kDigits> counts{};
  std::size_t used = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!objects.migratable[i] || objects.load[i] <= 0) continue;
    if (!of_pe.empty() && !of_pe[objects.pe[i]]) continue;
    const std::uint64_t item = pack(objects.load[i], static_cast<ObjectIndex>(i));
    items[used++] = item;
    for (int digit = 0; digit < kDigits; ++digit) ++counts[digit][digit_of(item, digit)];
  }

  for (int digit = 0; digit < kDigits && used > 0; ++digit) {
    auto& next = counts[digit];
    if (next[digit_of(items[0], digit)] == used) continue;
    std::uint32_t start = 0;
    for (std::uint32_t& count : next) start += std::exchange(count, start);
    for (std::size_t k = 0; k < used; ++k) spare[next[digit_of(items[k], digit)]++] = items[k];
    std::swap(items, spare);
  }

  std::vector<ObjectIndex> order(used);
  std::transform(items, items + used, order.begin(),
                 [](std::uint64_t item) { return static_cast<ObjectIndex>(item); });
  return order;
}

}  // namespace skein::lb
