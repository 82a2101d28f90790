// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/check.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "runtime/base/backtrace.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/upcalls.hpp"

namespace skein {
void check_failed(const char* file, int line, const char* condition, const char* format, ...) {
  char place[64];
  describe_place(place, sizeof place);
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  // One write, so that the lines of several PEs do not mix.
  char text[1024];
  const int wanted = snprintf(text, sizeof text, "%sskein: internal check failed at %s:%d: %s\n  %s\n", place,
                              file, line, condition, message);
  const auto length = std::min(static_cast<std::size_t>(std::max(wanted, 0)), sizeof text - 1);
  if (length > 0) text[length - 1] = '\n';  // also of a cut line
  (void)!write(STDERR_FILENO, text, length);
  print_backtrace(Frames::all);
  if (upcalls.take_down) upcalls.take_down(134);
  std::abort();
}

}  // namespace skein
