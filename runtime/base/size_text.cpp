// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/size_text.hpp"

namespace skein {

std::string size_text(std::size_t bytes) {
  const char* suffixes[] = {"", "K", "M", "G", "T"};
  std::size_t power = 0;
  while (power < 4 && bytes != 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++power;
  }
  return std::to_string(bytes) + suffixes[power];
}

}  // namespace skein
