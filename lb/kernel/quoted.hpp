// SPDX-License-Identifier: Apache-2.0
// What the user wrote, in messages.
#pragma once
#include <string>
#include <string_view>

namespace skein::lb {

inline std::string quoted(std::string_view text) {
  std::string result(1, '\'');
  result += text;
  result += '\'';
  return result;
}

}  // namespace skein::lb
