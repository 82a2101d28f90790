// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/background.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "runtime/base/error.hpp"

namespace skein {

NoSignals::NoSignals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before_);
}

NoSignals::~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void give_way(int nice) {
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice);
  cpu_set_t all;
  memset(&all, ~0, sizeof all);
  (void)sched_setaffinity(0, sizeof all, &all);
}

std::future<void> in_background(int nice, std::function<void()> work) {
  const NoSignals scope;
  try {
    return std::async(std::launch::async, [nice, work = std::move(work)] {
      give_way(nice);
      work();
    });
  } catch (const std::system_error& error) {
    throw Error(std::string("the system has no thread to give: ") + error.what());
  }
}

}  // namespace skein
