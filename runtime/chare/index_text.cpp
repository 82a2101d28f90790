// SPDX-License-Identifier: Apache-2.0
// Indices in messages.
#include <sstream>

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

std::string text_written(void (*write)(std::ostream& out, const void* value), const void* value) {
  std::ostringstream out;
  write(out, value);
  return out.str();
}

}  // namespace skein::chare
