// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/helper_thread.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "runtime/base/fault_signals.hpp"

namespace skein::balance {
namespace {

constexpr int lowest_priority = 19;

/// Lowers the priority of the calling thread. What the system refuses stays as it was.
void give_way() {
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), lowest_priority);
  cpu_set_t all;
  memset(&all, ~0, sizeof all);
  (void)sched_setaffinity(0, sizeof all, &all);
}

/// While it lives, a fault of the calling thread is of that thread alone.
class FaultsOfThread {
 public:
  FaultsOfThread(std::atomic<int>& signal, pid_t beside) : stack_(64 * 1024) {
    const FaultsAlone alone{&signal, stack_.data(), stack_.size(), beside};
    keep_faults_to_this_thread(&alone);
  }
  ~FaultsOfThread() { keep_faults_to_this_thread(nullptr); }
  FaultsOfThread(const FaultsOfThread&) = delete;
  FaultsOfThread& operator=(const FaultsOfThread&) = delete;

 private:
  std::vector<std::byte> stack_;
};

/// While it lives, threads that are made take no signal.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

HelperThread::~HelperThread() {
  if (thread_.joinable()) thread_.detach();
}

void HelperThread::start(std::function<void()> work, Priority priority) {
  const NoSignals scope;
  progress_->done.store(false, std::memory_order_relaxed);
  thread_ = std::thread([progress = progress_, priority, starter = gettid(), work = std::move(work)] {
    if (priority == Priority::low) give_way();
    {
      const FaultsOfThread alone(progress->fault, starter);
      work();
    }
    progress->done.store(true, std::memory_order_release);
  });
}

bool HelperThread::take_done() {
  if (!thread_.joinable() || !progress_->done.load(std::memory_order_acquire)) return false;
  thread_.join();
  return true;
}

}  // namespace skein::balance
