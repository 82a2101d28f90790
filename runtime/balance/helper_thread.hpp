// SPDX-License-Identifier: Apache-2.0
// A thread beside the PE's own for work that needs neither ranks nor messages: strategies, which are pure.
//
// On it no rank runs (current_rank() is null), and blocks come from the C library. Signals go to the PE's own
// thread. Where the work faults, by a bad address say, its thread stands still, and the PE goes on, unless it
// comes to wait for a lock, which the thread may hold (FaultsAlone).
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

namespace skein::balance {

class HelperThread {
 public:
  enum class Priority { usual, low };

  HelperThread() = default;
  HelperThread(const HelperThread&) = delete;
  HelperThread& operator=(const HelperThread&) = delete;
  /// Work that is not done is left to itself, with what it owns.
  ~HelperThread();

  /// Begins the work, which throws nothing, and owns what it works with. Not while other work is. At low
  /// priority it may run on all cores that the process's machine has, since others wait there, and gives way
  /// to all.
  void start(std::function<void()> work, Priority priority);
  bool has_work() const { return thread_.joinable(); }
  /// Whether the work is done, and what it wrote may be read: once, then there is none.
  bool take_done();
  /// The signal by which the work faulted, else 0. It is never done then, and no other can begin.
  int fault() const { return progress_->fault.load(std::memory_order_acquire); }

 private:
  /// How far the work is. The thread shares it, which may outlast this object.
  struct Progress {
    std::atomic<int> fault = 0;
    std::atomic<bool> done = false;  // released by the thread, acquired in take_done()
  };

  std::thread thread_;
  std::shared_ptr<Progress> progress_ = std::make_shared<Progress>();
};

}  // namespace skein::balance
