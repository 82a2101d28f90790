// SPDX-License-Identifier: Apache-2.0
// The PEs of a simulated job, and the order in which their actions are played.
//
// A PE is one sequential process. It has a clock, a queue of tasks that can run, first come first served, and
// an inbox of messages that have arrived and were not taken yet. As in a run (runtime/rank/scheduler.cpp,
// runtime/pe/pe_loop.cpp), a task runs until it yields. Then, if no other task is ready, or at least 5 us
// have passed since the last time, the PE takes the messages that have arrived; then the next ready task
// runs. A PE with nothing to run takes a message when it arrives.
//
// PEs run ahead of each other as far as they cannot affect each other. In a window of time [T, limit), where
// T is the time of the next event, no action of a PE can reach another PE before `limit`: limit - T is the
// network's lookahead. So a PE runs alone until it would have to look into its inbox at `limit` or later. Its
// messages leave in the order of their times, then of PEs, whatever the windows are: the result does not
// depend on windows. If PEs of a node slow each other down (contention.hpp), a burst that ends in the window
// ends as foreseen: bursts that begin or stop in the same window, which is shorter than a message takes,
// count for the next window.
//
// Messages from one PE to another are taken in the order in which they left, as in the runtime's transport,
// even if the network does not keep it. Only transfers of requested data (MessageKind::bulk) may overtake,
// because nothing is matched with them.
//
// A message inside a node delays only messages that its sender's PE sends, and that its receiver's PE gets,
// inside the node (sides, as in network_fast.cpp). If the network has no other rule for it, it is put into
// its receiver's inbox when it is sent, however far ahead the sender is, in the order of first bytes; all
// messages with a first byte before `limit` are there by then. The arrival of the last byte is known for the
// first of these messages, and for each later one when those before it have been taken.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lb/simulate/contention.hpp"
#include "lb/simulate/inbox.hpp"
#include "lb/simulate/large_pages.hpp"
#include "lb/simulate/message.hpp"
#include "lb/simulate/network.hpp"
#include "lb/simulate/nodes.hpp"
#include "lb/simulate/time_queue.hpp"

namespace skein::simulate {

class Machine {
 public:
  /// The tasks that run on the PEs.
  class Workload {
   public:
    static constexpr int depths = 2;
    virtual ~Workload() = default;
    /// Continues the task until it yields, and returns true. Returns false if the rest must wait until the
    /// other PEs have come as far (see is_far_ahead()); then the machine calls run() again.
    virtual bool run(PeIndex pe, TaskId task) = 0;
    /// Receives a message that was taken from the inbox; the workload owns it from now on.
    virtual void take(PeIndex pe, MessageIndex message) = 0;
    /// Called soon before the task runs: may prefetch what it needs. First with `depth` 0, for the data that
    /// tells where the rest is; a little later for the next level, and so on, below `depths`.
    virtual void prefetch(TaskId /*task*/, int /*depth*/) const {}
    /// Called soon before a message for the object is taken, which may make it run.
    virtual void prefetch_receiver(ObjectIndex /*receiver*/) const {}
  };

  Machine(const Platform& platform, const PeSpeed& speed, Network& network, Workload& workload,
          std::size_t tasks);

  std::size_t pes() const { return pes_.size(); }
  const Nodes& nodes() const { return nodes_; }
  Ns& clock(PeIndex pe) { return pes_[pe].clock; }
  Pool<Message>& messages() { return messages_; }
  const Level& level(PeIndex from, PeIndex to) const {
    return from == to ? platform_.pe : same_node(from, to) ? platform_.node : platform_.network;
  }
  bool same_node(PeIndex a, PeIndex b) const { return nodes_.is_one(a, b); }

  /// Appends the task to the queue of the PE. A task is in one queue at a time.
  void make_ready(PeIndex pe, TaskId task);
  /// Makes the task ready at time `at`. It must stay on the PE until then.
  void wake_at(PeIndex pe, TaskId task, Ns at);
  /// A piece of computing, from the PE's clock on.
  struct Burst {
    Ns begin = 0;
    Ns end = 0;        // the PE's clock now
    Ns busy = 0;       // processor time that a run measures; only once the burst is over
    bool over = true;  // false: others may still change its end, and the task waits: see burst_is_over()
  };
  Burst compute(PeIndex pe, std::uint64_t work_ns) {
    if (contention_) [[unlikely]]
      return compute_among_others(pe, work_ns);
    Ns& clock = pes_[pe].clock;
    const PeSpeed::Span span = speed_.run(pe, clock, work_ns);
    return {std::exchange(clock, span.end), span.end, span.busy};
  }
  /// Returns true if the burst is over; called when the task is run again. If so, call take_burst().
  bool burst_is_over(PeIndex pe) const { return pes_[pe].clock < limit_; }
  Burst take_burst(PeIndex pe) { return {contention_->began(pe), pes_[pe].clock, contention_->end(pe)}; }

  /// Returns true if the PE is so far ahead of others that its sends should wait, to limit their number.
  bool is_far_ahead(PeIndex pe) const {
    return later_.size() + from_nodes_ >= most_later_ && pes_[pe].clock - far_ahead_ns >= limit_;
  }
  /// Sends a message with this many bytes on the wire; advances the sender's clock by the time that this
  /// takes.
  void send(MessageIndex message, PeIndex from, PeIndex to, std::uint64_t wire_bytes);
  /// The times that a message occupies its PEs, kept for the last length: most messages are as long as the
  /// one before.
  struct Overhead {
    std::uint64_t bytes = ~std::uint64_t{0};
    Ns send = 0, receive = 0;
    Ns side = 0;  // inside a node: how long the message occupies a side
  };
  /// Returns the overhead of a message between tasks of one PE.
  const Overhead& overhead_here(std::uint64_t bytes) { return overhead(0, platform_.pe, bytes); }
  /// Prefetches for a message that is soon sent to this PE, maybe from its node.
  void prefetch_receiving(PeIndex pe) const { prefetch_line(&pes_[pe].from_node); }
  /// Sends `notice` to the sender's PE when the message that was just sent has arrived, at the same time.
  void notify_when_arrived(MessageIndex message, MessageIndex notice);

  /// Runs until no task is ready or asleep, and no message is under way or in an inbox. Throws
  /// SimulationError when `stop` becomes true.
  void run(const std::atomic<bool>* stop);
  /// Returns the latest clock after run(). The clock of a PE that had nothing to do may be behind.
  Ns latest() const;
  Network& network() { return network_; }
  std::uint64_t switches() const { return switches_; }

 private:
  static constexpr Ns far_ahead_ns = 1'000'000;
  static constexpr std::size_t most_later_a_pe = 16;

  struct Sleeper {
    Ns at;
    std::uint64_t order;
    TaskId task;
    bool operator<(const Sleeper& other) const {  // std's heaps have the greatest first
      return at != other.at ? at > other.at : order > other.order;
    }
  };
  /// Takes three cache lines.
  struct Pe {
    Ns clock = 0;
    Ns poll_due = 0;
    Ns scheduled = kNever;  // the time in due_; `never`: nothing to do
    TaskId current = kNone;
    TaskId last = kNone;  // the task that ran last
    TaskId ready_first = kNone, ready_last = kNone;
    TaskId prefetched = kNone;  // the task whose data was prefetched
    bool has_sleepers = false;
    bool polling = false;  // some messages that had arrived were not taken yet
    /// The times when its sides for messages inside the node become free, apart from messages in from_node.
    Ns sends_until = 0, receives_until = 0;
    Inbox arrived;    // messages that the network has brought, in order
    Inbox from_node;  // other messages from its node, by sent_before(); Message::at is of the first byte
  };
  static_assert(sizeof(Pe) == 192);
  /// The next message to take from the inboxes of a PE.
  struct Arrival {
    Ns at = kNever;  // when its last byte arrives
    MessageIndex message = kNone;
    bool is_from_node = false;
  };
  /// A message on its way, by message.
  struct Flight {
    PeIndex from = 0, to = 0;
    union {
      std::uint64_t wire_bytes = 0;
      Ns side_ns;  // for messages in Pe::from_node: how long they occupy a side
    };
    Ns departed = 0;
    MessageIndex notice = kNone;  // sent to the sender's PE when the message has arrived
    std::uint32_t turn = 0;       // the message's number in its lane
  };
  /// The messages from one PE to another, on networks that do not keep the order.
  struct Lane {
    std::uint32_t sent = 0, arrived = 0;
    std::vector<MessageIndex> early;
  };
  const Overhead& overhead(std::size_t place, const Level& level, std::uint64_t bytes) {
    Overhead& last = overheads_[place];
    if (last.bytes != bytes) [[unlikely]]
      last = overhead_of(level, bytes);
    return last;
  }
  [[gnu::noinline]] Overhead overhead_of(const Level& level, std::uint64_t bytes) const {
    return {bytes, send_time(level, bytes), receive_time(level, bytes),
            &level == &platform_.node ? side_time(level, bytes) : 0};
  }
  struct Departure {
    Ns at;
    PeIndex from;
    MessageIndex message;
    bool operator<(const Departure& other) const {
      return at != other.at ? at < other.at : from < other.from;
    }
  };

  Burst compute_among_others(PeIndex pe, std::uint64_t work_ns);
  void set_busy(PeIndex index, bool busy);
  void run_window(Ns begin);
  void run_pe(PeIndex index);
  /// Takes the messages that have arrived. Returns true if all that have come so far could be taken.
  bool take_arrived(Pe& pe, PeIndex index);
  void wake_sleepers(Pe& pe, PeIndex index);
  void deliver_until(Ns limit);
  void deliver_in_turn(const Flight& flight, MessageIndex message, Ns at);
  void put_into_inbox(PeIndex index, MessageIndex message, Ns at);
  void send_inside(MessageIndex message, PeIndex from, PeIndex to, Ns side_ns);
  /// Returns true if `a` comes before `b`, of messages whose first or last bytes arrive at the same time.
  bool sent_before(MessageIndex a, MessageIndex b) const;
  Arrival first_arrival(const Pe& pe) const;
  void remove(Pe& pe, const Arrival& arrival);
  void schedule(PeIndex index, Ns at);
  void look_ahead();
  void prefetch_pe(PeIndex index, int stage);
  void prefetch_inbox(const Pe& pe);
  void prefetch_current(Pe& pe);
  void prefetch_leaving(MessageIndex message, int stage);
  void depart(const Departure& departure);
  bool has_turn(MessageIndex message) const {
    return !network_keeps_order_ && messages_[message].kind != MessageKind::bulk;
  }
  Lane& lane_of(const Flight& flight) { return lanes_[std::uint64_t{flight.from} << 32 | flight.to]; }
  void depart_in_order();
  Ns next_event();
  Ns next_due();

  const Platform& platform_;
  const Nodes nodes_;
  const PeSpeed& speed_;
  std::optional<Contention> contention_;  // empty: PEs do not slow each other down
  Network& network_;
  Workload& workload_;
  const bool network_keeps_order_;
  const Ns lookahead_;
  const Ns switch_ns_;
  const Ns node_latency_;
  const bool sends_inside_;  // messages inside a node bypass the network
  const std::size_t most_later_;
  Ns limit_ = 0;        // the end of the window
  Ns least_limit_ = 0;  // while one PE runs alone: its sends may bring limit_ forward to here
  bool alone_ = false;  // only one PE runs before its limit
  PeIndex running_ = kNone;
  LargeVector<Pe> pes_;
  std::vector<std::vector<Sleeper>> sleepers_;  // by PE; empty: no task has slept
  std::vector<TaskId> next_ready_;              // by task
  Pool<Message> messages_;
  LargeVector<Flight> flights_;
  std::unordered_map<std::uint64_t, Lane> lanes_;
  TimesOfNumbers due_;  // PEs, by the time of their next action; some are in it more than once
  static constexpr int due_stages = 1 + Workload::depths, later_stages = 2;
  LookAhead<due_stages> due_ahead_;
  std::vector<PeIndex> window_pes_;
  std::vector<Departure> departures_;  // in this window
  TimeQueue later_;                    // in later windows
  LookAhead<later_stages> later_ahead_;
  std::array<Overhead, 3> overheads_;  // within a PE, within a node, and between nodes
  std::uint64_t left_later_ = 0;
  std::size_t from_nodes_ = 0;  // messages in all Pe::from_node
  std::uint64_t sleeps_ = 0;
  std::uint64_t switches_ = 0;
};

}  // namespace skein::simulate
