// SPDX-License-Identifier: Apache-2.0
// LB steps by the clock. Where every collective of a program may be a step (`--sync-at auto`), sync points
// come as it happens, 10^5 a second or one a minute, and a number of them says little of when to balance. So
// a step becomes due at a time, and only then all agree which sync point it is, as lazy balancing agrees
// where a decision is applied (skein/lb/lazy.hpp): PE 0 calls for a step, each PE that computes promises that
// no object of its will pass its next sync point before it hears more, and the largest of the promised points
// is one that none has passed. There all stop. Until a step is due, passing a sync point is a comparison.
//
// When: `--lb-period Ks` says so itself. With `auto`, the period (skein/lb/period.hpp) asks for so many sync
// points as if they came at the pace of the interval behind; but not before a step would take more than
// a tenth of the time, without what it moves.
//
// Where no sync point comes for long after a call, as in a program that has no collectives on all ranks, PE 0
// has all objects stop where they are: each rank in the next call in which it waits for messages, or asks for
// them in vain. What is under way moves with a rank, so that such a call goes on elsewhere. All PEs go to the
// meeting as soon as none of their ranks can go on. It ends when nothing is under way. If all ranks have
// stopped then, the step is made. If one has not, which is in a collective, say, and waits there for one that
// has stopped, or if a PE holds what one has brought to a collective that others have yet to come to, the
// step is called off, and tried again later. So it is, by PE 0, where a rank goes on for too long, since it
// computes, or looks in its memory for what one writes that has stopped. In all cases those that have stopped
// in a wait go on. Who has stopped at the sync point that was agreed on stays there if the step is called
// off: it is the sync point of all. In a step it has passed it, and for all others it is one like any other.
//
// Nobody waits for ever. Let all objects make the same sync points in one order, each at the end of a call
// that is allowed to wait until all objects have begun it, as MPI's collectives are. An object that holds at
// a promised point waits for one message from each PE, which a PE sends from its loop, between two of its
// objects: for none that an object sends. One that stops at the agreed point n waits until all others come to
// n or end. None of these can need anything that an object does behind n: it would be before the end of a
// call which the other has left, and which may wait for it. An object ends only behind its last sync point:
// if n comes after that, it is the last of none, nobody stops at n, and the job ends as if nobody had called.
// A PE that does not compute promises nothing, so that nobody waits for one that is silent.
#pragma once

#include <cstdint>

#include "runtime/balance/pace.hpp"
#include "runtime/balance/step_config.hpp"
#include "runtime/base/clock.hpp"
#include "skein/lb/planner.hpp"

namespace skein::balance {

inline bool agrees_on_steps() { return pace->agrees; }
inline bool may_stop_in_waits() { return pace->stops_in_waits; }

/// What the objects do when they hear of it.
struct AgreedObjects {
  void (*release)() = nullptr;        ///< as of allow_lazy()
  void (*call_off)() = nullptr;       ///< they go on
  void (*stop_in_waits)() = nullptr;  ///< null: they are never to stop without a sync point
};
/// Once, on all PEs, after start_lb_steps() and before any object runs. The period is automatic, or one of
/// seconds. `begins_later`: where an object comes to agree_from_here(), if one does; until then sync points
/// are steps as the schedule says.
void agree_on_steps(const lb::Period& period, const AgreedObjects& objects, bool begins_later = false);
void begin_to_agree();
/// Before each sync point of an object that this begins with. All objects have that same first one, or none
/// has, and whoever has met another one before it comes to none.
inline void agree_from_here() {
  if (!pace->agrees) begin_to_agree();
}

/// What came of it, on PE 0.
struct Agreed {
  double in_vain_s = 0;          ///< no object has come for so long to where a step was called for
  std::uint64_t in_waits = 0;    ///< steps without a sync point
  std::uint64_t called_off = 0;  ///< and attempts at them that failed
  bool began_later = false;      ///< at a sync point that was not the program's own
};
/// After the job's last meeting.
Agreed stop_agreeing();

/// An object has passed so many sync points, and is at the next one: passes it if it neither stops nor holds
/// there. Else it does what pe::comes_to_stop() says.
inline bool passes_freely(std::uint64_t& passed) {
  lb::lazy::Member& member = pace->member;
  if (!member.may_pass(passed + 1)) return false;
  note_point(passed);
  member.passes(++passed);
  return true;
}

void go_on_with_agreement();
/// From the loop of the PE, again and again.
inline void keep_agreement() {
  if (pace->agreement_due != Pace::never && ticks() >= pace->agreement_due) go_on_with_agreement();
}

/// In a step: the sync point that all stand at. 0: there is no step.
lb::lazy::Point agreed_step();
/// In a step: of one without a sync point, says how many the interval counts as.
void count_instead(lb::Interval& interval);
/// In a step: the interval as it is told, in which such points do not count.
lb::Interval as_told(lb::Interval interval);
/// That of the last step that is over here; 0: there was none.
lb::lazy::Point last_agreed_point();
/// As begin_behind() in lb_step.hpp.
void agree_behind(lb::lazy::Point point);
/// The ranks could not be stopped in waits. It is tried again; where the reason `may_last`, after twice as
/// long each time. On every PE.
void note_call_off(bool may_last);
/// In a step: with an automatic period, the next is so many sync points later, as the planner has learnt.
void wait_for_points(std::uint64_t points, const lb::Interval& interval, const lb::StepFigures& step);
/// The objects are about to go on behind the sync point, whether the step was made or left out. On every PE
/// that has stopped for it.
void end_agreed_step();

}  // namespace skein::balance
