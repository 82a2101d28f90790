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
//
// Parts. What a strategy splits off an object is an object of its own from then on, and reads on in the same
// stream: each part plays all executions, in which it computes its share of each burst, and more where there
// are ghost zones (GhostZones). A message between objects that are divided is several: each part of the
// sender sends each PE that has parts of the receiver its share of what these get, and they begin when they
// have all. What a divided object contributes, makes and broadcasts is so once its last part has come there.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
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
  void divide(std::span<const lb::Split> splits, std::span<const Merge> merges) override;
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
    /// Of a divided one.
    double share = 1;
    double factor = 1;                   // what its bursts take, as a multiple of the whole's
    std::vector<ObjectIndex> cuts = {};  // the parts beside it
    std::uint64_t face_bytes = 0;        // that each cut is worth in an execution
    std::uint64_t sent_bytes = 0;        // that the whole sends in this execution
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
    /// Between parts: on each PE of the receiver's, how many messages it still takes.
    std::vector<std::pair<PeIndex, std::size_t>> shares_to_come = {};
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
  void begin_execution(ObjectIndex object);
  /// Whether the burst before the event is over.
  bool compute(PeIndex pe, ObjectIndex object, const trace::Event& event);
  void come_to_point(PeIndex pe, ObjectIndex object, const trace::Event& sync);
  void split_off(ObjectIndex part, std::uint64_t bytes, std::uint64_t points);
  void emit(PeIndex pe, ObjectIndex object, std::uint32_t message, const trace::Event& event);
  void contribute(PeIndex pe, ObjectIndex object, const trace::Event& event);
  void send(std::uint32_t cause, PeIndex from, PeIndex to, TreeRoute way, std::uint64_t bytes);
  void arrive(std::uint32_t cause, PeIndex pe, TreeRoute way);
  /// Whose execution the cause lets begin on the PE; those that wait for it elsewhere wait on.
  void wake(Cause& cause, PeIndex pe);

  // ---- of parts
  std::span<const ObjectIndex> parts_of(ObjectIndex whole) const;
  /// Whether all other parts of the object have come to this cause before.
  bool is_last_part(ObjectIndex object, std::uint32_t cause);
  void send_shares(PeIndex pe, ObjectIndex object, std::uint32_t cause, ObjectIndex to);
  /// Whether it has all come to the PE, and to all PEs of the receiver.
  bool take_share(Cause& cause, PeIndex pe);
  void send_ghosts(PeIndex pe, ObjectIndex object);
  void split(const lb::Split& split, double fraction_of_rest);
  void merge(ObjectIndex into, ObjectIndex from);
  void set_ghosts(ObjectIndex whole);

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
  std::unordered_map<ObjectIndex, std::vector<ObjectIndex>> parts_;  // of each divided object, itself first
  /// How many parts of an object have come to a cause; none: none has, or all have.
  std::map<std::pair<ObjectIndex, std::uint32_t>, std::size_t> parts_come_;
  const std::vector<bool> made_beside_;  // by object: see made_beside_makers()
};

}  // namespace skein::simulate
