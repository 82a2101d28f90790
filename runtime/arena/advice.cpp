// SPDX-License-Identifier: Apache-2.0
#include "runtime/arena/advice.hpp"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace skein::arena {
namespace {

constexpr std::size_t kRangesAtOnce = 256;  // the system takes up to 1024 (UIO_MAXIOV)

bool advise_some(int self, std::span<const Range> ranges, int advice) {
  iovec vectors[kRangesAtOnce];
  std::ranges::transform(ranges, vectors, [](const Range& range) { return iovec{range.begin, range.bytes}; });
  const std::size_t bytes = std::transform_reduce(ranges.begin(), ranges.end(), std::size_t{0}, std::plus<>{},
                                                  [](const Range& range) { return range.bytes; });
  // The C library has no wrapper before 2.36.
  const long advised = syscall(SYS_process_madvise, self, vectors, ranges.size(), advice, 0);
  return advised == static_cast<long>(bytes);
}

}  // namespace

bool advise_together(std::span<const Range> ranges, int advice) {
  const int self = static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0));
  if (self < 0) return false;
  bool all = true;
  while (all && !ranges.empty()) {
    const std::size_t count = std::min(ranges.size(), kRangesAtOnce);
    all = advise_some(self, ranges.first(count), advice);
    ranges = ranges.subspan(count);
  }
  close(self);
  return all;
}

}  // namespace skein::arena
