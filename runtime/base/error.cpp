// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/error.hpp"

#include <cstdarg>
#include <cstdio>

namespace skein {

std::string format(const char* format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  std::string text(static_cast<size_t>(vsnprintf(nullptr, 0, format, args)), '\0');
  vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(args);
  return text;
}

}  // namespace skein
