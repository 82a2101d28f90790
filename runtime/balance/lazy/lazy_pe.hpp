// SPDX-License-Identifier: Apache-2.0
// Lazy balancing in a job: the protocol of skein/lb/lazy.hpp with messages around it. Every PE that computes
// has a member of it, the deciding PE the coordinator too (decider.hpp).
//
// An object at a sync point asks member().at(), and does what that says; no call waits for another PE. All
// functions are for the PE's one thread.
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

/// The part of Objects that lazy balancing needs: objects go on while others decide.
class LazyObjects {
 public:
  virtual ~LazyObjects() = default;

  /// Returns true if objects come, go and change their PE between LB steps.
  virtual bool come_and_go() const = 0;
  /// Returns true if a job can become lazy at any LB step, so that PEs are emptied then which only decide
  /// from there on.
  virtual bool can_begin_late() const { return false; }
  /// Returns true, in such a step, if all objects of this PE may leave it.
  virtual bool all_may_leave() const { return false; }
  /// Notes that the objects of this PE, which stand at that sync point, were asked there.
  virtual void note_asked(std::uint64_t) {}
  /// Returns the share of this PE when a decision is applied: the loads since objects were last asked, scaled
  /// to a whole interval between askings. All objects stand at the sync point `stop`.
  virtual std::vector<std::byte> share_at(std::uint64_t stop) = 0;
  /// Returns the time that the objects took in the interval of these shares.
  virtual IntervalShare interval_of(const net::PeBlocks& shares) const = 0;
};

/// Returns true if the job is lazy at present; false after end_lazy(). The user's wish is StepConfig::mode.
inline bool is_lazy() { return pace->lazy; }

/// Allows lazy balancing. Once, on all PEs, after the objects have been set, before the first message.
/// `release` makes objects that hold look again, as the member has heard something.
void allow_lazy(void (*release)());
/// Sends a message from the coordinator to a member.
void send_to_member(int pe, const ToMember& message);
/// Makes the job lazy, as config.mode says, at the start or in an LB step, when all objects have passed sync
/// point `from`. Called on all PEs. `trial`: what the deciding PE compares lazy balancing with.
void begin_lazy(const StepConfig& config, lb::lazy::Point from = 0, lb::LazyTrial trial = {});
/// Ends lazy balancing at the step of a decision, after note_applied(). Called on all PEs.
void leave_lazy();

/// Returns the share of this PE for sync point n, to which the objects here add theirs. `running`: how many
/// objects of this PE run, the calling one included.
std::vector<std::byte>& open_share(lb::lazy::Point n, std::size_t running);
/// Returns true if the share for n is open; newest_share() returns the newest point for which one ever was.
bool is_share_open(lb::lazy::Point n);
lb::lazy::Point newest_share();
/// Notes that an object has added its own share; the last one sends the PE's share.
void leave_share(lb::lazy::Point n);
/// Notes that an object of this PE has ended that left its last share for `asked`, and how many run now.
void note_end(lb::lazy::Point asked, std::size_t running);
/// Sets how many objects run here, after objects were placed.
void note_running(std::size_t running);

/// Returns true if a strategy works, on a PE that decides.
bool is_deciding();
/// Continues deciding; called from the loop of a PE that decides. Returns true if anything happened.
bool serve_lazy();

/// Notes that the decision is applied: at the agreed sync point, after the objects moved.
void note_applied();
/// Ends lazy balancing after the job's last meeting: nobody decides any more, and no message is left under
/// way. Collective.
void end_lazy(AfterJob after);

}  // namespace skein::balance
