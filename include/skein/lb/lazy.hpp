// SPDX-License-Identifier: Apache-2.0
// The protocol of lazy balancing as two state machines: values without messages and clocks, the same in a run
// (runtime/balance/lazy/lazy_pe.hpp), in a simulation, and in the test that plays all interleavings of small
// jobs.
//
// A computing PE has a Member, one PE of the job the Coordinator. Sync points count from 1. At those that are
// multiples of the period each object leaves what was measured of it, its share, and goes on: the job *asks*.
// When the last object of a PE has left its share for a point, the PE sends it. The coordinator decides on
// the newest point for which all shares have come, and says what came of it:
//
//   answered   nothing is to move.
//   decided    something is. Each member promises that no object of its will pass a certain sync point, the
//              next one, before it hears more. The largest of the promised points is one that no object of
//              the job has passed:
//   agreed     all objects stop there, and the decision is applied to what exists then.
//
// Where those who decide fall silent, what they may have decided is dropped (witness.hpp): all members are
// told, and the coordinator. Drops are numbered, and a decision says the newest that the coordinator had
// heard of. So a member knows those that are dropped from those made since, in whichever order it hears of
// the two, and all drop the same.
//
// So nobody waits for anybody while nothing has come, and between promise and agreement an object waits for
// one message there and back at most. Messages between two PEs keep their order; more is not asked of them.
//
// Where nothing is decided ahead, and the clock says that a step is due, the same agreement says where it is:
// wants_stop() is a decision about points that nobody has asked for (runtime/balance/agreed_steps.hpp).
//
// The states of the paper (mode.hpp), by whether the graph is to be sent (G) and whether to rebalance (R):
// 00 nothing asked, 10 asked, 11 decided, promised or agreed. applied() leads back to 00. No variable holds
// the state: has_asked() and is_instructed() follow from points of a Member.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "skein/lb/mode.hpp"

namespace skein::lb::lazy {

using Point = std::uint64_t;
inline constexpr Point kNever = ~Point{0};

/// One computing PE's part.
class Member {
 public:
  Member() = default;
  /// The job asks at each `period`-th point. All its objects have passed point `from`, and nothing was asked
  /// so far.
  Member(Point period, const Wait& wait, Point from = 0);

  /// What an object does that has passed point n - 1 and stands at n.
  enum class At : std::uint8_t {
    pass,  // goes on: the caller says passes(n)
    ask,   // leaves its share for this point, then looks again
    hold,  // waits until a message has come, then looks again
    stop   // here all objects meet, and the decision is applied; then it looks again
  };
  /// `left`: it has left its share for n.
  At at(Point n, bool left) const;
  /// Whether at() has anything else to say than pass.
  bool may_pass(Point n) const { return n < limit_ && n != next_ask_of(n); }
  void passes(Point n) {
    if (n > highest_) highest_ = n;
  }
  /// An object here leaves its share for n.
  void asks(Point n);

  // ---- what the coordinator says
  /// Nothing comes of what was asked at `asked` and before.
  void answered(Point asked);
  /// There is a decision about what was asked there, made after that drop. Returns the promise; none if it is
  /// dropped. `empty`: no object runs here, and so none is in the way of an early point.
  std::optional<Point> decided(Point asked, bool empty, std::uint64_t drop = 0);
  void agreed(Point stop);
  /// Those who decide are lost: decisions made before that drop are dropped, and nobody here waits until they
  /// are found. Objects that stopped for one are to look again.
  void dropped(std::uint64_t drop);
  /// They are found again, and answer what was asked meanwhile.
  void found();
  /// No answer has come for long: nobody here waits until one does.
  void silent();

  /// The decision was applied: all objects here stand at the agreed point.
  void applied();

  bool has_asked() const { return first_unanswered() != kNever; }        // G
  bool is_instructed() const { return promised_ != kNever; }             // R
  Point agreed_stop() const { return stop_; }                            // kNever: none
  Point agreed_about() const { return stop_ == kNever ? 0 : decided_; }  // what it was asked about; 0: none
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
  Point highest_ = 0;                // that an object which is or was here has passed
  Point asked_ = 0;                  // the last point for which a share was left here
  Point answered_ = 0;               // up to this one all is answered
  Point decided_ = 0;                // the point that the decision is about
  std::uint64_t drop_ = 0;           // the newest
  std::uint64_t decided_after_ = 0;  // drop
  Point promised_ = kNever;
  Point stop_ = kNever;
  Point limit_ = kNever;  // the first point where an object may not simply pass
};

/// Invariant: of the points for which all members have sent their shares, only the newest is decided on, and
/// none that lies before the last application. While a decision is made, announced or agreed on there is no
/// other.
class Coordinator {
 public:
  Coordinator() = default;
  /// Coordinates members that begin at that point.
  explicit Coordinator(std::size_t members, Point from = 0);

  /// The member's share for that point has come. False: it is not needed any more.
  bool share(std::size_t member, Point asked);
  /// The member has no object that runs, and none will come to it before the next application; `epoch` is how
  /// many applications it has seen.
  void dry(std::size_t member, std::uint64_t epoch);

  /// The newest point for which all have sent their shares that have any to send; 0: none. What was sent for
  /// earlier ones will not be decided on.
  Point newest_whole() const;

  /// Begins to decide on the point that is returned, if there is one and nothing else is going on. Shares for
  /// earlier points are not needed any more.
  std::optional<Point> take();
  /// The decision leaves all where they are: all members are to be told answered(about).
  void nothing_to_do();
  /// All members are to be told decided(about).
  void decides();
  /// A step is due at a point from `about` on, though nothing was asked: all are to be told as
  /// decided(about). Precondition: idle, and the last application was before `about`.
  void wants_stop(Point about);
  /// A member's promise for the decision about that point. With the last one comes the point that all members
  /// are to be told as agreed().
  std::optional<Point> promised(Point about, Point promise);
  void applied();
  /// What members may have heard of so far is dropped; what is being decided on is not. True: there was
  /// something.
  bool dropped(std::uint64_t drop);
  std::uint64_t drop() const { return drop_; }  // the newest

  enum class State : std::uint8_t { idle, deciding, decided, agreed };
  State state() const { return state_; }
  Point about() const { return about_; }  // unless idle: the point that is, or was, decided on
  Point agreed_stop() const { return largest_promise_; }  // once all have promised
  bool needs(Point asked) const { return asked > floor_; }
  std::uint64_t epoch() const { return epoch_; }

  friend auto operator<=>(const Coordinator&, const Coordinator&) = default;

 private:
  struct Sent {
    Point newest = 0;          // share
    std::uint64_t dry_in = 0;  // epoch in which it said so, plus 1
    friend auto operator<=>(const Sent&, const Sent&) = default;
  };
  /// The newest point that the member is not missing for; kNever: none.
  Point sent_up_to(const Sent& member) const;
  void change(Sent& member, Point newest, std::uint64_t dry_in);
  void find_whole();

  std::vector<Sent> members_;
  /// The least of what members are not missing for, and how many have no more: so that a share is looked at
  /// alone, and not what all have sent.
  Point whole_ = 0;
  std::size_t at_whole_ = 0;
  State state_ = State::idle;
  Point about_ = 0;
  Point floor_ = 0;  // shares for this point and earlier ones are not needed
  Point largest_promise_ = 0;
  std::size_t promises_missing_ = 0;
  std::uint64_t epoch_ = 0;  // applications so far
  std::uint64_t drop_ = 0;
};

}  // namespace skein::lb::lazy
