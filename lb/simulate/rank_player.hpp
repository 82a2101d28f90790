// SPDX-License-Identifier: Apache-2.0
// Plays the streams of an MPI program's ranks on the PEs: burst by burst and call by call. A rank runs until
// a call blocks.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lb/simulate/collective_call.hpp"
#include "lb/simulate/job_state.hpp"
#include "lb/simulate/recorded_requests.hpp"
#include "lb/simulate/streams.hpp"

namespace skein::simulate {

class RankPlayer final : public Player {
 public:
  RankPlayer(JobState& job, Network& network);
  ~RankPlayer() override;

  Machine& machine() override { return machine_; }
  void begin() override;
  bool all_ended() const override { return ended_ == ranks_.size(); }
  bool all_stopped() const override { return stopped_ > 0 && stopped_ + ended_ == ranks_.size(); }
  void resume() override;
  void log_to(Traffic* traffic) override { messages_.log_to(traffic); }
  PointToPoint::Counts counts() const override { return messages_.counts(); }
  [[noreturn]] void report_waiting() const override;
  void check_ends() const override;

  bool run(PeIndex pe, TaskId task) override;
  void take(PeIndex pe, MessageIndex message) override {
    if (machine_.messages()[message].kind == MessageKind::lazy)
      job_.stops.take(machine_, pe, message);
    else
      messages_.take(pe, message);
  }
  void prefetch(TaskId task, int depth) const override;
  void prefetch_receiver(ObjectIndex receiver) const override;

 private:
  enum class Stage : std::uint8_t {
    between,        // the next action is the next event, or the rank runs
    computes,       // its burst is not over
    at_event,       // its burst is over
    waits,          // in the call of the event, which is over when the rank runs again
    in_collective,  // in the call of the event, whose collective continues when the rank runs again
    stopped,        // at a sync point
    meets,          // at a sync point, which it reaches anew
    ended,
    cut,  // the stream ended without an end event
  };
  /// Takes one cache line.
  struct alignas(64) Rank {
    Streams::Position at;  // before its present event, or, between events, before the next
    CollectiveCall* call = nullptr;
    std::uint64_t events = 0;  // begun events
    std::uint32_t points = 0;  // sync points passed
    Stage stage = Stage::between;
  };
  static_assert(sizeof(Rank) == 64);
  struct Beside {  // a nonblocking collective
    CollectiveCall* call = nullptr;
    std::uint32_t request = kNone;
  };

  /// How a rank continues with the event that it reached when it ran before.
  enum class Resumption : std::uint8_t {
    over,       // the event is over
    at_event,   // its burst is over, the rest of it follows
    gives_way,  // the event is not over, and the rank yields
    must_wait,  // the event is not over, and must wait until the other PEs have come as far
  };
  [[gnu::noinline]] Resumption go_on(PeIndex pe, ObjectIndex object, Rank& rank, Reading event);
  /// Computes a burst. Returns false if the burst needs the general way.
  static bool compute_steadily(double rate, std::uint64_t burst_ns, Ns& clock, JobState::Share& share);
  /// Does the event's action after its burst. Returns true if the rank runs on; else the rank yields, and its
  /// stage tells whether it is still at the event.
  bool act(PeIndex pe, ObjectIndex object, Rank& rank, const Reading& event);
  /// Begins a send or receive by begin(done), which returns true if it is complete.
  template <class Begin>
  bool start(ObjectIndex object, Rank& rank, const Action& action, Begin begin);
  bool send(ObjectIndex object, Rank& rank, const Action& action, ObjectIndex receiver, std::uint64_t bytes);
  bool receive(ObjectIndex object, Rank& rank, const Action& action, std::int32_t source);
  [[gnu::noinline]] void start_wild_receive(ObjectIndex object, const Action& action, std::int32_t source);
  [[gnu::noinline]] bool collective(PeIndex pe, ObjectIndex object, Rank& rank, Reading event);
  bool sync(PeIndex pe, ObjectIndex object, Rank& rank, std::uint64_t bytes);
  static bool is_at_event(Stage stage) {
    return stage == Stage::at_event || stage == Stage::waits || stage == Stage::in_collective ||
           stage == Stage::meets;
  }
  bool run_collective(Rank& rank);
  void run_beside(TaskId task);
  bool blocks(Rank& rank, ObjectIndex object);
  bool blocks_for(Rank& rank, ObjectIndex object);  // one operation more
  void end(Rank& rank, Stage stage);
  CollectiveCall* new_call(TaskId task, ObjectIndex self, const trace::Event& event, bool blocking);
  void delete_call(CollectiveCall* call);
  void prefetch_waiting(ObjectIndex receiver) const;
  void prefetch_sends(PeIndex pe, ObjectIndex object, const Rank& rank) const;
  static MessageKey channel_to(ObjectIndex sender, ObjectIndex receiver, const Action& action);
  std::string text_of_wait(ObjectIndex object) const;

  JobState& job_;
  TagPlaces places_;
  Streams streams_;
  LargeVector<Rank> ranks_;
  Machine machine_;
  Waits waits_;
  PointToPoint messages_;
  Groups groups_;
  CollectiveWorld collectives_;
  std::vector<Beside> beside_;  // by task, from the number of ranks on
  Cancelled cancelled_;
  const bool only_speed_counts_;                       // for a burst's time; nothing observes bursts
  std::vector<std::unique_ptr<Wildcards>> wildcards_;  // by rank; empty: no rank has any
  std::uint64_t stopped_ = 0, ended_ = 0, cut_ = 0;
};

}  // namespace skein::simulate
