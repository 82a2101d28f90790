// SPDX-License-Identifier: Apache-2.0
// The protocol of lazy balancing as two state machines: values without messages and clocks, used alike in a
// run (runtime/balance/lazy/lazy_pe.hpp), in a simulation, and in a test of all interleavings of small jobs.
//
// Each computing PE has a Member; one PE of the job has the Coordinator. Sync points count from 1. At
// multiples of the period each object leaves its measurements, its *share*, and goes on: the job *asks*. When
// the last object of a PE has left its share for a point, the PE sends the share. The coordinator decides on
// the newest point for which all shares have come, and announces the result:
//
//   answered   nothing is to move.
//   decided    something is. Each member promises that none of its objects passes a certain sync point, the
//              next one, before it hears more. No object of the job has passed the largest of the promised
//              points:
//   agreed     all objects stop at that point, and the decision is applied to the objects that exist then.
//
// If the deciding PEs fall silent, any decision that they may have made is dropped (witness.hpp): all members
// and the coordinator are told. Drops are numbered, and a decision carries the newest drop that the
// coordinator had heard of. So a member can tell dropped decisions from later ones, whichever it hears of
// first, and all members drop the same.
//
// So no object waits while no decision has come, and between promise and agreement an object waits at most
// for one message to the coordinator and back. Messages between two PEs must keep their order.
//
// LB steps by the clock, which are not decided ahead, use the same agreement on their sync point:
// wants_stop() announces a decision about a point that no object has asked for
// (runtime/balance/agreed_steps.hpp).
//
// The states of the paper (mode.hpp), by whether the graph is to be sent (G) and whether to rebalance (R): 00
// nothing asked, 10 asked, 11 decided, promised or agreed. applied() leads back to 00. No variable holds the
// state: has_asked() and is_instructed() follow from the points of a Member.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "skein/lb/mode.hpp"

namespace skein::lb::lazy {

using Point = std::uint64_t;
inline constexpr Point kNever = ~Point{0};

/// The part of one computing PE.
class Member {
 public:
  Member() = default;
  /// Begins with all objects past point `from`. The job asks at each `period`-th point.
  Member(Point period, const Wait& wait, Point from = 0);

  /// The next act of an object that has passed point n - 1 and stands at n.
  enum class At : std::uint8_t {
    pass,  // go on: the caller calls passes(n)
    ask,   // leave its share for this point, then call at() again
    hold,  // wait until a message has come, then call at() again
    stop   // stop: all objects meet here and the decision is applied; then call at() again
  };
  /// Returns what an object at point n must do. `left`: it has left its share for n.
  At at(Point n, bool left) const;
  /// Returns true if at() can only return pass.
  bool may_pass(Point n) const { return n < limit_ && n != next_ask_of(n); }
  void passes(Point n) {
    if (n > highest_) highest_ = n;
  }
  /// Notes that an object here leaves its share for n.
  void asks(Point n);

  // ---- announcements of the coordinator
  /// Nothing is to move for shares of point `asked` and earlier ones.
  void answered(Point asked);
  /// Tells that a decision was made about the shares of point `asked`, after drop `drop`. Returns this
  /// member's promise, or nothing if the decision is dropped. `empty`: no object runs here, so that an early
  /// point is possible.
  std::optional<Point> decided(Point asked, bool empty, std::uint64_t drop = 0);
  void agreed(Point stop);
  /// Tells that the deciding PEs are lost: decisions made before drop `drop` are dropped, and no object here
  /// waits until those PEs are found. Objects that stopped for such a decision must call at() again.
  void dropped(std::uint64_t drop);
  /// Tells that the deciding PEs are found again, and answer what was asked meanwhile.
  void found();
  /// Tells that no answer has come for long: no object here waits until one comes.
  void silent();

  /// Tells that the decision was applied: all objects here stand at the agreed point.
  void applied();

  bool has_asked() const { return first_unanswered() != kNever; }        // G
  bool is_instructed() const { return promised_ != kNever; }             // R
  Point agreed_stop() const { return stop_; }                            // kNever: none
  Point agreed_about() const { return stop_ == kNever ? 0 : decided_; }  // 0: none
  Point highest() const { return highest_; }

  friend auto operator<=>(const Member&, const Member&) = default;

 private:
  Point next_ask_of(Point n) const { return period_ > 0 && n % period_ == 0 ? n : kNever; }
  Point first_unanswered() const;
  Point wait_point() const;
  void set_limit();

  Point period_ = 0;
  Point wait_ = kNever;
  bool silent_ = false;
  bool lost_ = false;
  Point highest_ = 0;                // passed by an object that is or was here
  Point asked_ = 0;                  // the last point for which a share was left here
  Point answered_ = 0;               // everything up to this point is answered
  Point decided_ = 0;                // the point that the decision is about
  std::uint64_t drop_ = 0;           // the newest drop
  std::uint64_t decided_after_ = 0;  // the newest drop that decided_ knows of
  Point promised_ = kNever;
  Point stop_ = kNever;
  Point limit_ = kNever;  // the first point where an object may not simply pass
};

/// Invariant: of the points for which all members have sent their shares, only the newest is decided on, and
/// none before the last application. There is at most one decision at a time, until it is applied or dropped.
class Coordinator {
 public:
  Coordinator() = default;
  /// Coordinates `members` members that begin at point `from`.
  explicit Coordinator(std::size_t members, Point from = 0);

  /// Notes the member's share for point `asked`. Returns false if the share is not needed any more.
  bool share(std::size_t member, Point asked);
  /// Notes that the member has no running object, and gets none before the next application. `epoch`: how
  /// many applications the member has seen.
  void dry(std::size_t member, std::uint64_t epoch);

  /// Returns the newest point for which all members that have shares to send have sent them; 0 if there is
  /// none. Shares for earlier points will not be decided on.
  Point newest_whole() const;

  /// Begins to decide on the newest whole point and returns it, if there is one and the coordinator is idle.
  /// Shares for earlier points are not needed any more.
  std::optional<Point> take();
  /// Notes that nothing is to move. The caller must tell all members answered(about).
  void nothing_to_do();
  /// Notes that something is to move. The caller must tell all members decided(about).
  void decides();
  /// Announces a step at a point from `about` on, though nothing was asked. The caller must tell all members
  /// decided(about). Precondition: idle, and the last application was before `about`.
  void wants_stop(Point about);
  /// Notes a member's promise for the decision about point `about`. With the last promise it returns the
  /// point that all members must be told by agreed().
  std::optional<Point> promised(Point about, Point promise);
  void applied();
  /// Drops a decision that members may have heard of, but none still being made. Returns true if one existed.
  bool dropped(std::uint64_t drop);
  std::uint64_t drop() const { return drop_; }  // the newest

  enum class State : std::uint8_t { idle, deciding, decided, agreed };
  State state() const { return state_; }
  Point about() const { return about_; }  // unless idle: the point of the present or last decision
  Point agreed_stop() const { return largest_promise_; }  // valid once all members have promised
  bool needs(Point asked) const { return asked > floor_; }
  std::uint64_t epoch() const { return epoch_; }

  friend auto operator<=>(const Coordinator&, const Coordinator&) = default;

 private:
  struct Sent {
    Point newest = 0;          // share
    std::uint64_t dry_in = 0;  // the epoch of the last dry(), plus 1
    friend auto operator<=>(const Sent&, const Sent&) = default;
  };
  /// Returns the newest point that needs nothing more of this member; kNever if no point does.
  Point sent_up_to(const Sent& member) const;
  void change(Sent& member, Point newest, std::uint64_t dry_in);
  void find_whole();

  std::vector<Sent> members_;
  /// The least of sent_up_to() over the members, and how many members have just that value: so a share is
  /// compared with these two alone, not with all members' shares.
  Point whole_ = 0;
  std::size_t at_whole_ = 0;
  State state_ = State::idle;
  Point about_ = 0;
  Point floor_ = 0;  // shares for this and earlier points are not needed
  Point largest_promise_ = 0;
  std::size_t promises_missing_ = 0;
  std::uint64_t epoch_ = 0;  // applications so far
  std::uint64_t drop_ = 0;
};

}  // namespace skein::lb::lazy
