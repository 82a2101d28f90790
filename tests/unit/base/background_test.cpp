// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/background.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <stdexcept>

using namespace skein;

TEST_CASE("background: work is done on a thread that gives way and takes no signal, and tells how it ended") {
  const pid_t here = gettid();
  const int nice_here = getpriority(PRIO_PROCESS, 0);
  std::promise<void> goes_on;
  std::atomic<pid_t> there = 0;
  std::atomic<int> nice = -1, takes_signals = -1;
  std::future<void> work = in_background(7, [&] {
    there = gettid();
    nice = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    takes_signals = !sigismember(&blocked, SIGTERM);
    goes_on.get_future().wait();
    throw std::runtime_error("as it should be");
  });
  CHECK(!is_done(work));
  goes_on.set_value();
  CHECK_THROWS_WITH(work.get(), "as it should be");
  CHECK(there != here);
  CHECK(nice == 7);
  CHECK(takes_signals == 0);
  CHECK(getpriority(PRIO_PROCESS, 0) == nice_here);
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  CHECK(!sigismember(&blocked, SIGTERM));
}
