// SPDX-License-Identifier: Apache-2.0
// Lazy balancing in a job: the protocol of skein/lb/lazy.hpp with messages around it. Every PE that computes
// has a member of it, the deciding PE the coordinator too (decider.hpp).
//
// An object that stands at a sync point asks member().at(), and does what is said; nothing of this waits for
// another PE. All functions are for the PE's one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/balance/interval_sum.hpp"
#include "runtime/balance/lazy/messages.hpp"
#include "runtime/balance/pace.hpp"
#include "runtime/balance/step_config.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "skein/lb/lazy.hpp"
#include "skein/lb/live_mode.hpp"

namespace skein::balance {

/// What lazy balancing asks of objects, which go on while others decide.
class LazyObjects {
 public:
  virtual ~LazyObjects() = default;

  /// Whether objects come, go and change their PE between LB steps.
  virtual bool come_and_go() const = 0;
  /// Whether this can begin at any LB step of a job, and PEs be left then that only decide from there on.
  virtual bool can_begin_late() const { return false; }
  /// In such a step: whether all objects of this PE may leave it.
  virtual bool all_may_leave() const { return false; }
  /// Those of this PE, which stand at that sync point, count as asked there.
  virtual void note_asked(std::uint64_t) {}
  /// The share of this PE when a decision is applied: the loads since objects were last asked, as of a whole
  /// interval between askings. All stand at the sync point `stop`.
  virtual std::vector<std::byte> share_at(std::uint64_t stop) = 0;
  /// What the objects took in the interval that these shares are of.
  virtual IntervalShare interval_of(const net::PeBlocks& shares) const = 0;
};

/// Now: not any more behind end_lazy(). What the user has asked for is StepConfig::mode.
inline bool is_lazy() { return pace->lazy; }

/// Once, on all PEs, after the objects have been set, before the first message. `release`: objects that hold
/// are to look again, since something was said to the member.
void allow_lazy(void (*release)());
/// From the coordinator.
void send_to_member(int pe, const ToMember& message);
/// The job balances lazily, as config.mode says. All objects have passed sync point `from`: at the start, or
/// in an LB step. On all PEs. `trial`: what it is compared with on the PE that decides.
void begin_lazy(const StepConfig& config, lb::lazy::Point from = 0, lb::LazyTrial trial = {});
/// At the step of a decision, after note_applied(): it does so no longer. On all PEs.
void leave_lazy();

/// The share of this PE for sync point n: what the objects here leave is added to it. `running`: how many
/// objects of this PE run, the calling one included.
std::vector<std::byte>& open_share(lb::lazy::Point n, std::size_t running);
/// Whether the share for n is open, and the newest point for which one ever was.
bool is_share_open(lb::lazy::Point n);
lb::lazy::Point newest_share();
/// An object has added its own; with the last one the share is sent.
void leave_share(lb::lazy::Point n);
/// An object of this PE has ended that left its last share for `asked`; so many run now.
void note_end(lb::lazy::Point asked, std::size_t running);
/// After objects were placed: so many run here.
void note_running(std::size_t running);

/// On a PE that decides: a strategy works.
bool is_deciding();
/// On a PE that decides, from its loop: goes on with what it decides. Returns whether anything happened.
bool serve_lazy();

/// The decision is applied: at the agreed sync point, after the objects moved.
void note_applied();
/// After the job's last meeting: nobody decides any more, and no message stays under way. Collective.
void end_lazy(AfterJob after);

}  // namespace skein::balance
