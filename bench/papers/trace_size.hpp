// SPDX-License-Identifier: Apache-2.0
// Checks that a planned trace fits into the free memory.
#pragma once
#include <unistd.h>

#include <stdexcept>
#include <string>

// Checks the memory for so many events, including those of long lists. Throws std::runtime_error with advice.
inline void require_memory(double events, const std::string& what) {
  constexpr double kEventBytes = 8;
  const double wanted = events * kEventBytes;
  const double there =
      static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (wanted <= there) return;
  const auto mib = [](double bytes) { return std::to_string(static_cast<long long>(bytes / (1 << 20))); };
  throw std::runtime_error(what + " take some " + mib(wanted) + " MiB, and " + mib(there) +
                           " MiB are free: take fewer steps or a smaller size");
}
