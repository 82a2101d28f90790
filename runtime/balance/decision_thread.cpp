// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/decision_thread.hpp"

#include <exception>
#include <utility>

#include "runtime/balance/team.hpp"
#include "runtime/base/clock.hpp"

namespace skein::balance {
namespace {

/// Times `think`, and keeps what it throws.
template <class Think>
void decide(DecisionWork& work, Think think) {
  const double start = seconds();
  work.failure.clear();
  try {
    think();
  } catch (const std::exception& error) {
    work.failure = error.what();
  }
  work.took_s = seconds() - start;
}

}  // namespace

void DecisionThread::start() {
  helper_.start([work = work_] { decide(*work, [&] { work->plan = work->planner->plan(*work->interval); }); },
                priority_);
}

void DecisionThread::start_together(lb::MeasuredPart measured, std::uint64_t seed) {
  const auto think = [measured = std::move(measured), seed](DecisionWork& work) {
    work.then_here = make_own_part(measured, work.planner->config());
    work.plan = lb::decide_in_team(*work.planner->config().strategy, work.then_here, seed, *own_team());
    work.then_here.graph = {};
  };
  helper_.start([work = work_, think] { decide(*work, [&] { think(*work); }); }, priority_);
}

}  // namespace skein::balance
