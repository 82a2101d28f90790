// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/log.hpp"

#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "runtime/base/upcalls.hpp"

namespace skein {

LogLevel log_level = LogLevel::normal;

void describe_place(char* out, unsigned long bytes) {
  out[0] = '\0';
  if (!upcalls.running_rank) return;
  const int rank = upcalls.running_rank();
  if (rank >= 0)
    snprintf(out, bytes, "[%d %d] ", own_pe, rank);
  else
    snprintf(out, bytes, "[%d] ", own_pe);
}

void log_line(const char* format, ...) {
  char text[2048];
  describe_place(text, 64);
  size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  int wanted = vsnprintf(text + used, sizeof text - used - 1, format, args);
  va_end(args);
  used += static_cast<size_t>(wanted);
  if (used > sizeof text - 2) used = sizeof text - 2;
  text[used++] = '\n';
  (void)!write(STDERR_FILENO, text, used);
}

}  // namespace skein
