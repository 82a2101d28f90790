// SPDX-License-Identifier: Apache-2.0
// Plays the streams of a native program's objects on the PEs: execution by execution. One begins when its
// cause has come to the object's PE and the PE is free, first come first served; each PE's queue is that of
// the objects whose next execution can begin. Which one is next: object_stream.hpp.
//
// An element that stops at a sync point goes on with what comes before the LB step all the same, as in a run,
// where messages that are under way are taken. In lazy mode one that comes to a sync point *stands* there
// when its method is over, until it has looked (runtime/chare/balance/lazy_elements.cpp) and been told to
// pass; as the next step may be at any point, all elements are ordered as if each was one.
//
// A message to one object goes to that object's PE; one whose receiver its sender did not know goes to who
// executed because of it. Broadcasts go to PE 0 and down a tree over all PEs. When all have contributed to a
// reduction, its value goes from the last contributor's PE up the tree to PE 0, and to who waits for it.
// Homes and forwarding are left out, but for objects that execute elsewhere than where their message went.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "lb/simulate/executions.hpp"
#include "lb/simulate/job_state.hpp"
#include "lb/simulate/object_stream.hpp"
#include "lb/simulate/sync_order.hpp"

namespace skein::simulate {

class ObjectPlayer final : public Player {
 public:
  ObjectPlayer(JobState& job, Network& network);

  Machine& machine() override { return machine_; }
  void begin() override;
  bool all_ended() const override { return ended_ == objects_.size(); }
  bool all_stopped() const override { return stopped_ > 0; }
  std::uint64_t behind() const override;
  void resume() override;
  bool go_on_when_quiet() override;
  void log_to(Traffic* traffic) override { traffic_ = traffic; }
  PointToPoint::Counts counts() const override { return counts_; }
  [[noreturn]] void report_waiting() const override;
  void check_ends() const override {}  // elements may be deleted anywhere

  bool run(PeIndex pe, TaskId task) override;
  void take(PeIndex pe, MessageIndex message) override;

 private:
  enum class Stage : std::uint8_t {
    unborn,  // it is to be split off
    waits,
    ready,
    executes,
    held,   // until the LB step; `stopped` tells whether it is there
    quiet,  // until the job is
    ended
  };
  struct Object {
    explicit Object(trace::Cursor of) : stream(Executions(std::move(of))) {}
    /// The number in its stream of the one that is played.
    std::uint64_t event() const { return execution.first_event + played; }
    ObjectStream stream;
    Execution execution;     // that is played, or is next
    std::size_t played = 0;  // events of it
    std::uint32_t sent = 0;  // messages in it
    bool computes = false;   // the burst of the next one goes on
    std::uint64_t points = 0;
    std::uint64_t points_to_come = 0;
    Stage stage = Stage::waits;
    bool has_executed = false;
    bool stopped = false;
    /// In lazy mode.
    bool has_next = false;  // `execution` is still to be played
    bool stands = false;    // at its point number `points`
    bool looks = false;     // it is to find out what it may do there
    bool queued = false;    // for that
  };
  enum class TreeRoute : std::uint32_t { direct, down, up };
  /// The cause of executions: a message or a reduction.
  struct Cause {
    std::uint32_t executions = 0;     // that it is to cause
    std::uint32_t contributions = 0;  // that are still to come
    ObjectIndex first = kNone;        // object that it causes one of
    std::uint64_t bytes = 0;
    std::vector<bool> come = {};  // by PE; empty: nowhere
    bool anywhere = false;        // it has come to some PE, and is no broadcast
    /// It makes an object, which has passed as many sync points as who makes it then.
    bool creates = false;
    std::uint64_t points = 0;
    std::vector<ObjectIndex> waiting = {};
  };

  void read_ahead();
  /// In lazy mode elements that come later are not played.
  void refuse_what_comes_later() const;
  /// The number in causes_ of an execution's cause, or none.
  std::uint32_t cause_of(const Execution& execution) const {
    const trace::Event* const begin = execution.begin();
    return begin ? numbers_.of(*begin) : kNone;
  }
  /// Fetches the object's next execution, and finds out when that can be.
  void look_on(PeIndex pe, ObjectIndex object);
  void await_cause(PeIndex pe, ObjectIndex object);
  /// Behind how many sync points is what the object may not play yet.
  std::uint64_t bound(const Object& self) const;
  /// In lazy mode: the object, which stands, is to look; it does.
  void queue_look(PeIndex pe, ObjectIndex object);
  void look(PeIndex pe, ObjectIndex object);
  void make_ready(ObjectIndex object);
  void begin_execution(Object& self);
  /// Whether the burst before the event is over.
  bool compute(PeIndex pe, ObjectIndex object, const trace::Event& event);
  void come_to_point(PeIndex pe, ObjectIndex object, const trace::Event& sync);
  void split_off(ObjectIndex part, std::uint64_t bytes, std::uint64_t points);
  void emit(PeIndex pe, ObjectIndex object, std::uint32_t message, const trace::Event& event);
  void contribute(PeIndex pe, const trace::Event& event);
  void send(std::uint32_t cause, PeIndex from, PeIndex to, TreeRoute way);
  void arrive(std::uint32_t cause, PeIndex pe, TreeRoute way);

  JobState& job_;
  std::vector<Object> objects_;
  Machine machine_;
  const CauseNumbers numbers_;
  std::vector<Cause> causes_;
  std::optional<SyncOrder> order_;  // where there are LB steps
  const bool lazy_;
  bool holds_ = true;  // what comes after the next LB step
  Traffic* traffic_ = nullptr;
  PointToPoint::Counts counts_;
  std::uint64_t stopped_ = 0, ended_ = 0;
};

}  // namespace skein::simulate
