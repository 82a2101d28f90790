// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/lazy/decision_thread.hpp"

#include <unistd.h>

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

#include "runtime/balance/team.hpp"
#include "runtime/base/background.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/fault_signals.hpp"

namespace skein::balance {
namespace {

constexpr int kLowestPriority = 19;

/// While an object of this class lives, a fault of the calling thread stops only that thread.
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

}  // namespace

DecisionThread::~DecisionThread() {
  if (thread_.joinable()) thread_.detach();
}

void DecisionThread::begin(std::function<void(DecisionWork&)> think) {
  const NoSignals scope;
  progress_->done.store(false, std::memory_order_relaxed);
  thread_ = std::thread([progress = progress_, work = work_, gives_way = gives_way_, starter = gettid(),
                         think = std::move(think)] {
    if (gives_way) skein::give_way(kLowestPriority);
    {
      const FaultsOfThread alone(progress->fault, starter);
      const double start = seconds();
      work->failure.clear();
      try {
        think(*work);
      } catch (const std::exception& error) {
        work->failure = error.what();
      }
      work->took_s = seconds() - start;
    }
    progress->done.store(true, std::memory_order_release);
  });
}

void DecisionThread::start() {
  begin([](DecisionWork& work) { work.plan = work.planner->plan(*work.interval); });
}

void DecisionThread::start_together(lb::MeasuredPart measured, std::uint64_t seed) {
  begin([measured = std::move(measured), seed](DecisionWork& work) {
    work.then_here = make_own_part(measured, work.planner->config());
    work.plan = lb::decide_in_team(*work.planner->config().strategy, work.then_here, seed, *own_team());
    work.then_here.graph = {};
  });
}

bool DecisionThread::take_done() {
  if (!thread_.joinable() || !progress_->done.load(std::memory_order_acquire)) return false;
  thread_.join();
  return true;
}

}  // namespace skein::balance
