// SPDX-License-Identifier: Apache-2.0
// Indices as text, and the code of arrays with the usual indices, compiled once.
#include <cstdio>
#include <sstream>

#include "skein/chare/indexed_array.hpp"
#include "skein/index.hpp"

namespace skein::chare {

std::string text_of_coordinates(std::span<const int> at) {
  std::string text;
  for (const int coordinate : at) text += (text.empty() ? "{" : ", ") + std::to_string(coordinate);
  return text + "}";
}

std::string text_of_bytes(std::span<const std::byte> bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text = "0x";
  for (const std::byte byte : bytes) {
    text += digits[static_cast<unsigned>(byte) / 16];
    text += digits[static_cast<unsigned>(byte) % 16];
  }
  return text;
}

void write_coordinates(std::span<const int> at, std::span<char> out) {
  std::size_t used = 0;
  for (const int coordinate : at)
    if (used < out.size())
      used += static_cast<std::size_t>(
          snprintf(out.data() + used, out.size() - used, "%s%d", used == 0 ? "{" : ", ", coordinate));
  if (used < out.size()) snprintf(out.data() + used, out.size() - used, "}");
}

void write_bytes(std::span<const std::byte> bytes, std::span<char> out) {
  snprintf(out.data(), out.size(), "0x");
  std::size_t used = 2;
  for (const std::byte byte : bytes) {
    if (used + 2 >= out.size()) return;
    snprintf(out.data() + used, out.size() - used, "%02x", static_cast<unsigned>(byte));
    used += 2;
  }
}

std::string text_written(void (*write)(std::ostream& out, const void* value), const void* value) {
  std::ostringstream out;
  write(out, value);
  return out.str();
}

template class IndexedArray<Index1>;
template class IndexedArray<Index2>;
template class IndexedArray<Index3>;
template class IndexedArray<Index4>;
template class IndexedArray<Index5>;
template class IndexedArray<Index6>;

}  // namespace skein::chare
