// SPDX-License-Identifier: Apache-2.0
// LB steps by the clock. Where every collective of a program may be a step (`--sync-at auto`), there may be
// 10^5 sync points a second or one a minute, and their number says little of when to balance. So a step
// becomes due at a time, and only then all agree which sync point it is, as lazy balancing agrees where a
// decision is applied (skein/lb/lazy.hpp): PE 0 calls for a step, each PE that computes promises that no
// object of its own will pass its next sync point before it hears more, and the largest of the promised
// points is one that no object has passed. There all stop. Until a step is due, passing a sync point is a
// comparison.
//
// `--lb-period Ks` gives the time. With `auto`, the period (skein/lb/period.hpp) asks for a number of sync
// points, which counts as the time that so many took in the last interval; but a step, without what it moves,
// takes at most a tenth of the time.
//
// If no sync point comes for long after a call, as in a program that has no collectives on all ranks, PE 0
// has all objects stop where they are: each rank in the next call in which it waits for messages, or tests
// for them in vain. The state of the call moves with the rank, and the call goes on on the new PE. All PEs go
// to the meeting as soon as none of their ranks can go on. It ends when nothing is under way. If all ranks
// have stopped then, the step is made. The step is called off, and tried again later, if a rank has not
// stopped, since it waits in a collective, say, for one that has stopped, or if a PE holds the part of a
// stopped rank in a collective that others have yet to come to. PE 0 calls it off, too, if a rank goes on for
// too long, since it computes, or polls its memory for what a stopped rank would write. In all cases ranks
// that stopped in a wait go on. A rank that has stopped at the agreed sync point stays there if the step is
// called off: it is the sync point of all. If the step is made, the rank has passed the point, and for all
// others it is an ordinary one.
//
// Nobody waits for ever. Let all objects make the same sync points in one order, each at the end of a call
// that is allowed to wait until all objects have begun it, as MPI's collectives are. An object that holds at
// a promised point waits for one message from each PE, which a PE sends from its loop, between two of its
// objects; it waits for no message of an object. An object that stops at the agreed point n waits until all
// others come to n or end. None of these can need anything that an object does behind n: the needy one would
// be before the end of a call which the other has left, and which may wait for it. An object ends only behind
// its last sync point: if n comes after that, no object has a point n, nobody stops there, and the job ends
// as if nobody had called. A PE that does not compute promises nothing, so that nobody waits for one that is
// silent.
#pragma once

#include <cstdint>

#include "runtime/balance/pace.hpp"
#include "runtime/balance/step_config.hpp"
#include "runtime/base/clock.hpp"
#include "skein/lb/planner.hpp"

namespace skein::balance {

inline bool agrees_on_steps() { return pace->agrees; }
inline bool may_stop_in_waits() { return pace->stops_in_waits; }

/// The functions that tell the objects of a step.
struct AgreedObjects {
  void (*release)() = nullptr;        ///< as in allow_lazy()
  void (*call_off)() = nullptr;       ///< the objects go on without the step
  void (*stop_in_waits)() = nullptr;  ///< null: they are never to stop without a sync point
};
/// Begins to agree on steps. Once, on all PEs, after start_lb_steps() and before any object runs. `period` is
/// automatic, or one of seconds. `begins_later`: agreement begins where an object calls agree_from_here(), if
/// one does; until then sync points are steps as the schedule says.
void agree_on_steps(const lb::Period& period, const AgreedObjects& objects, bool begins_later = false);
void begin_to_agree();
/// Begins the agreement; called before a sync point of an object. Precondition: this is the first sync point
/// of all objects, or of none, and an object that has met another one before never calls this.
inline void agree_from_here() {
  if (!pace->agrees) begin_to_agree();
}

/// Figures of the agreed steps, on PE 0.
struct Agreed {
  double in_vain_s = 0;          ///< since the last call for a step, if no object came to it, s
  std::uint64_t in_waits = 0;    ///< steps without a sync point
  std::uint64_t called_off = 0;  ///< attempts at steps without a sync point that failed
  bool began_later = false;      ///< agreement began at a sync point that was not the program's own
};
/// Ends the agreement after the job's last meeting. Returns its figures.
Agreed stop_agreeing();

/// Passes the sync point of an object that has passed `passed` ones, if it neither stops nor holds there, and
/// returns true. Otherwise the caller does what pe::comes_to_stop() says.
inline bool passes_freely(std::uint64_t& passed) {
  lb::lazy::Member& member = pace->member;
  if (!member.may_pass(passed + 1)) return false;
  note_point(passed);
  member.passes(++passed);
  return true;
}

void go_on_with_agreement();
/// Does what is due; called from the PE's loop, again and again.
inline void keep_agreement() {
  if (pace->agreement_due != Pace::never && ticks() >= pace->agreement_due) go_on_with_agreement();
}

/// Returns, in a step, the sync point at which all stand. 0: no step is agreed on.
lb::lazy::Point agreed_step();
/// Sets, in a step without a sync point, the number of points that the interval counts as.
void count_instead(lb::Interval& interval);
/// Returns, in a step, the interval as reports show it: the points of count_instead() do not count.
lb::Interval as_told(lb::Interval interval);
/// Returns the sync point of the last agreed step that is over here; 0: there was none.
lb::lazy::Point last_agreed_point();
/// Makes `point` the last agreed point of a job that continues another one, as begin_behind() in lb_step.hpp
/// does.
void agree_behind(lb::lazy::Point point);
/// Notes that the ranks could not be stopped in waits. PE 0 tries again; if the reason `may_last`, after
/// twice as long each time. Called on every PE.
void note_call_off(bool may_last);
/// Sets, in a step with an automatic period, the time until the next call: that of `points` sync points, as
/// many as the planner has learnt.
void wait_for_points(std::uint64_t points, const lb::Interval& interval, const lb::StepFigures& step);
/// Ends the agreed step, made or left out; the objects are about to go on behind the sync point. Called on
/// every PE that has stopped for it.
void end_agreed_step();

}  // namespace skein::balance
