// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/doorbell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace skein::net {

void Doorbell::wait(std::int64_t ns) {
  const timespec pause{ns / 1'000'000'000, ns % 1'000'000'000};
  syscall(SYS_futex, &asleep_, FUTEX_WAIT, 1, &pause, nullptr, 0);
}

void Doorbell::wake() {
  if (asleep_.exchange(0, std::memory_order_relaxed) != 0)
    syscall(SYS_futex, &asleep_, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace skein::net
