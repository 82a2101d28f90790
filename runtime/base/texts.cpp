// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/texts.hpp"

#include "runtime/base/error.hpp"

namespace skein {

std::string text_of_ranks(const std::set<int>& ranks) {
  if (ranks.size() == 1) return "rank " + std::to_string(*ranks.begin());
  std::string text = "ranks ";
  for (auto rank = ranks.begin(); rank != ranks.end();) {
    const int first = *rank;
    int last = first;
    while (++rank != ranks.end() && *rank == last + 1) ++last;
    if (first != *ranks.begin()) text += ", ";
    text += std::to_string(first);
    if (last > first) text.append("-").append(std::to_string(last));
  }
  return text + " (" + std::to_string(ranks.size()) + " in all)";
}

std::string size_text(std::size_t bytes) {
  const char* suffixes[] = {"", "K", "M", "G", "T"};
  std::size_t power = 0;
  while (power < 4 && bytes != 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++power;
  }
  return std::to_string(bytes) + suffixes[power];
}

std::string hex_text(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += format("%02x", std::to_integer<unsigned>(byte));
  return text;
}

}  // namespace skein
