// SPDX-License-Identifier: Apache-2.0
#include "runtime/rank/job_guards.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstring>

#include "runtime/base/error.hpp"

namespace skein {

JobGuards job_guards;

JobGuards draw_job_guards() {
  constexpr std::uint64_t lowest_byte = 0xff;
  JobGuards drawn;
  ssize_t bytes;
  do bytes = getrandom(&drawn, sizeof drawn, 0);
  while (bytes < 0 && errno == EINTR);
  if (bytes != sizeof drawn)
    throw Error(
        format("no random numbers for the stack canary (getrandom: %s); a sandbox must allow the call",
               bytes < 0 ? strerror(errno) : "too few"));
  drawn.canary &= ~lowest_byte;
  return drawn;
}

}  // namespace skein
