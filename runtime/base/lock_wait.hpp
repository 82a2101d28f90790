// SPDX-License-Identifier: Apache-2.0
// Whether a thread waits for a lock that nobody gives back, as another thread sees it by what the system says
// of threads (/proc/self/task). All of it is callable from handlers.
#pragma once

#include <sys/types.h>

namespace skein {

class LockWait {
 public:
  /// Watches a thread of this process.
  explicit LockWait(pid_t thread) : thread_(thread) {}
  /// Whether it has waited since the last look, and not woken, for a futex that the threads of one process
  /// share: for a lock, then. False at the first look, and where the system does not say.
  bool went_on();

 private:
  pid_t thread_;
  unsigned long slept_ = 0;  // how often, while it waits so
};

}  // namespace skein
