// SPDX-License-Identifier: Apache-2.0
// The memory of this process that is in use, as the operating system counts it.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <stdexcept>

namespace native_test {

inline long resident_bytes() {
  long pages = 0, resident = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2)
    throw std::runtime_error("no /proc/self/statm");
  fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace native_test
