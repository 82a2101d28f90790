// SPDX-License-Identifier: Apache-2.0
// Plays the streams of a native program's objects on the PEs, execution by execution. An execution begins
// when its cause has come to the object's PE and the PE is free, first come first served; each PE has a queue
// of the objects whose next execution can begin. object_stream.hpp says which execution is next.
//
// An element that stops at a sync point still plays the executions before the LB step, as in a run, where
// messages under way are taken. In lazy mode an element that comes to a sync point *stands* there when its
// method is over, until it has looked (runtime/chare/balance/lazy_elements.cpp) and been told to pass. As the
// next step may be at any point, all elements are ordered as if each point was a step.
//
// A message to one object goes to that object's PE; if its sender did not know the receiver, it goes to the
// object that executed because of it. Broadcasts go to PE 0 and down a tree over all PEs. When all objects
// have contributed to a reduction, its value goes from the last contributor's PE up the tree to PE 0, and to
// the objects that wait for it. Homes and forwarding are left out, except for objects that execute on another
// PE than the one to which their message went.
//
// Parts: a part that a strategy splits off an object is an object of its own from then on, and continues in
// the same stream. Each part plays all executions, computes its share of each burst, and more if there are
// ghost zones (GhostZones). A message from or to a divided object is several messages: each part of the
// sender sends its share to each PE that has parts of the receiver, and these parts begin when all shares
// have come. A contribution, creation or broadcast of a divided object takes place when its last part has
// come to it.
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
    unborn,  // still to be split off
    waits,
    ready,
    executes,
    held,   // until the LB step; `stopped` is true if the object stands at that point
    quiet,  // waits until the job is quiet
    ended
  };
  struct Object {
    explicit Object(trace::Cursor of) : stream(Executions(std::move(of))) {}
    /// Returns the number, in the stream, of the event that is played.
    std::uint64_t event() const { return execution.first_event + played; }
    ObjectStream stream;
    Execution execution;     // the one that is played, or the next one
    std::size_t played = 0;  // events of the execution
    std::uint32_t sent = 0;  // messages in the execution
    bool computes = false;   // the burst of the next event has begun
    std::uint64_t points = 0;
    std::uint64_t points_to_come = 0;
    Stage stage = Stage::waits;
    bool has_executed = false;
    bool stopped = false;
    // In lazy mode:
    bool has_next = false;  // `execution` is still to be played
    bool stands = false;    // at its point number `points`
    bool looks = false;     // it has to ask what it may do there
    bool queued = false;    // to ask
    // Of a part of a divided object:
    double share = 1;
    double factor = 1;                   // length of its bursts, as a multiple of the whole's
    std::vector<ObjectIndex> cuts = {};  // the parts beside it, one for each cut
    std::uint64_t face_bytes = 0;        // bytes over each cut in an execution, at most sent_bytes
    std::uint64_t sent_bytes = 0;        // bytes that the whole sends in this execution
  };
  enum class TreeRoute : std::uint32_t { direct, down, up };
  /// The cause of executions: a message or a reduction.
  struct Cause {
    std::uint32_t executions = 0;     // still to be caused
    std::uint32_t contributions = 0;  // still to come
    ObjectIndex first = kNone;        // first object that executes because of it
    std::uint64_t bytes = 0;
    std::vector<bool> come = {};  // by PE; empty: nowhere
    bool anywhere = false;        // it has come to some PE, and is no broadcast
    /// The messages that still have to come to each PE with parts of the receiver; empty: not divided.
    std::vector<std::pair<PeIndex, std::size_t>> shares_to_come = {};
    /// True if it creates an object, which then has passed `points` sync points, as many as its maker.
    bool creates = false;
    std::uint64_t points = 0;
    std::vector<ObjectIndex> waiting = {};
  };

  void read_ahead();
  /// Throws for elements that are created or split off later, which lazy mode does not play.
  void refuse_what_comes_later() const;
  /// Returns the index in causes_ of the execution's cause, or kNone.
  std::uint32_t cause_of(const Execution& execution) const {
    const trace::Event* const begin = execution.begin();
    return begin ? numbers_.of(*begin) : kNone;
  }
  /// Reads the object's next execution, and waits for its cause.
  void look_on(PeIndex pe, ObjectIndex object);
  void await_cause(PeIndex pe, ObjectIndex object);
  /// Returns the sync point after which executions of the object have to wait.
  std::uint64_t bound(const Object& self) const;
  /// Puts a standing object into its PE's queue to look, in lazy mode.
  void queue_look(PeIndex pe, ObjectIndex object);
  /// Asks what the standing object may do, in lazy mode, and does it.
  void look(PeIndex pe, ObjectIndex object);
  void make_ready(ObjectIndex object);
  void begin_execution(ObjectIndex object);
  /// Computes the burst before the event. Returns true if it is over.
  bool compute(PeIndex pe, ObjectIndex object, const trace::Event& event);
  void come_to_point(PeIndex pe, ObjectIndex object, const trace::Event& sync);
  void split_off(ObjectIndex part, std::uint64_t bytes, std::uint64_t points);
  void emit(PeIndex pe, ObjectIndex object, std::uint32_t message, const trace::Event& event);
  void contribute(PeIndex pe, ObjectIndex object, const trace::Event& event);
  void send(std::uint32_t cause, PeIndex from, PeIndex to, TreeRoute way, std::uint64_t bytes);
  void arrive(std::uint32_t cause, PeIndex pe, TreeRoute way);
  /// Makes the objects ready that wait for the cause on the PE; objects on other PEs wait on.
  void wake(Cause& cause, PeIndex pe);

  // ---- parts
  std::span<const ObjectIndex> parts_of(ObjectIndex whole) const;
  /// Notes that the object has come to the cause. Returns true if it is the last part of its whole to come.
  bool is_last_part(ObjectIndex object, std::uint32_t cause);
  void send_shares(PeIndex pe, ObjectIndex object, std::uint32_t cause, ObjectIndex to);
  /// Notes a share that has come to the PE. Returns true if all shares have come to all PEs of the receiver.
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
  std::optional<SyncOrder> order_;  // if there are LB steps
  const bool lazy_;
  bool holds_ = true;  // executions after the next LB step wait
  Traffic* traffic_ = nullptr;
  PointToPoint::Counts counts_;
  std::uint64_t stopped_ = 0, ended_ = 0;
  std::unordered_map<ObjectIndex, std::vector<ObjectIndex>> parts_;  // of each divided object, itself first
  /// The number of an object's parts that have come to a cause; no entry: none has, or all have.
  std::map<std::pair<ObjectIndex, std::uint32_t>, std::size_t> parts_come_;
  const std::vector<bool> made_beside_;  // made_beside_makers(), by object
};

}  // namespace skein::simulate
