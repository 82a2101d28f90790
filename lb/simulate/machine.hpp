// SPDX-License-Identifier: Apache-2.0
// The PEs of a simulated job, and in which order what they do is looked at.
//
// A PE is one sequential process. It has a clock, a queue of tasks that can run, first come first served, and
// an inbox of messages that have arrived and were not taken yet. As in a run (runtime/rank/scheduler.cpp,
// runtime/pe/pe_loop.cpp) a task runs until it gives way; then, if no other is ready, or 5 us and more have
// passed since the last time, the PE takes what has arrived; then the next task that is ready runs. A PE with
// nothing to run takes a message when it arrives.
//
// PEs run ahead of each other as far as nothing can come between. In a window of time [T, limit), where T is
// the next time at which anything happens, what PEs do cannot reach any other PE before `limit`: limit - T is
// the network's lookahead. So a PE runs alone until it would have to look into its inbox at `limit` or later.
// Messages that it sends leave in the order of their times, then of PEs, whatever the windows are: the
// outcome does not depend on them. Where PEs of a node slow each other down (contention.hpp), a burst that
// ends in the window is over as it was foreseen: what others begin or stop in the same window, less than a
// message takes, counts for the next.
//
// Messages from one PE to another are taken in the order in which they left, as the runtime's transport has
// it, whether the network keeps it or not. Only transfers of data that were asked for (MessageKind::bulk)
// come when they come: nothing is matched with them.
//
// A message inside a node is in the way of nothing but what the sender's PE sends and the receiver's gets
// inside the node (sides, as in network_fast.cpp). So where the network has no more to say of it than that,
// it is put into its receiver's inbox when it is sent, however far ahead the sender is, in the order of first
// bytes: those before `limit` are all there. When the last byte of the first of them has come is known then,
// and of the others once that is taken.
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
  /// What runs on the PEs.
  class Workload {
   public:
    static constexpr int depths = 2;
    virtual ~Workload() = default;
    /// The task runs on from where it was, until it gives way: true. False: there is more to do which is to
    /// wait until the other PEs have come as far (see is_far_ahead()); it is then run again.
    virtual bool run(PeIndex pe, TaskId task) = 0;
    /// A message is taken from the inbox. It is the workload's now.
    virtual void take(PeIndex pe, MessageIndex message) = 0;
    /// Soon the task runs: what it will look at may be brought into the cache. First at `depth` 0: what tells
    /// where the rest is; then, a little later, what is found there, and so on, below `depths`.
    virtual void prefetch(TaskId /*task*/, int /*depth*/) const {}
    /// Soon a message for this one is taken, and it may run then.
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

  /// Appends to the queue of the PE. A task is in one queue at a time.
  void make_ready(PeIndex pe, TaskId task);
  /// At this time; the PE need not be the task's for ever, but until then.
  void wake_at(PeIndex pe, TaskId task, Ns at);
  /// The PE computes so much, from its clock on.
  struct Burst {
    Ns begin = 0;
    Ns end = 0;        // where its clock is now
    Ns busy = 0;       // processor time that a run measures; only once it is over
    bool over = true;  // false: others may still come between. The task does not run on: see burst_is_over()
  };
  Burst compute(PeIndex pe, std::uint64_t work_ns) {
    if (contention_) [[unlikely]]
      return compute_among_others(pe, work_ns);
    Ns& clock = pes_[pe].clock;
    const PeSpeed::Span span = speed_.run(pe, clock, work_ns);
    return {std::exchange(clock, span.end), span.end, span.busy};
  }
  /// Asked when the task is run again; then take_burst().
  bool burst_is_over(PeIndex pe) const { return pes_[pe].clock < limit_; }
  Burst take_burst(PeIndex pe) { return {contention_->began(pe), pes_[pe].clock, contention_->end(pe)}; }

  /// Whether the PE is ahead of others, and what it sends had better wait: there would be too much of it.
  bool is_far_ahead(PeIndex pe) const {
    return later_.size() + from_nodes_ >= most_later_ && pes_[pe].clock - far_ahead_ns >= limit_;
  }
  /// A message with so many bytes on the wire leaves the PE, whose clock goes on by what that takes.
  void send(MessageIndex message, PeIndex from, PeIndex to, std::uint64_t wire_bytes);
  /// What a message keeps its PEs busy for, of the last length that was asked for: most are as long as the
  /// one before.
  struct Overhead {
    std::uint64_t bytes = ~std::uint64_t{0};
    Ns send = 0, receive = 0;
    Ns side = 0;  // inside a node: how long a side is busy with it
  };
  /// The overhead of a message from a task to another of the same PE.
  const Overhead& overhead_here(std::uint64_t bytes) { return overhead(0, platform_.pe, bytes); }
  /// Soon a message is sent to this PE, from one of its node perhaps.
  void prefetch_receiving(PeIndex pe) const { prefetch_line(&pes_[pe].from_node); }
  /// When the message that was just sent has come, its sender's PE gets this notice, at the same time.
  void notify_when_arrived(MessageIndex message, MessageIndex notice);

  /// Runs until nothing is left to do: no task is ready or asleep, no message under way or in an inbox.
  /// Throws SimulationError when `stop` becomes true.
  void run(const std::atomic<bool>* stop);
  /// Afterwards: the latest clock. Where nothing was to do for a PE, its own may be behind.
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
  /// Three lines of the cache.
  struct Pe {
    Ns clock = 0;
    Ns poll_due = 0;
    Ns scheduled = kNever;  // in due_; `never`: nothing to do
    TaskId current = kNone;
    TaskId last = kNone;  // that ran
    TaskId ready_first = kNone, ready_last = kNone;
    TaskId prefetched = kNone;  // it, and what it needs
    bool has_sleepers = false;
    bool polling = false;  // it has not taken all that had come
    /// Inside its node: when its sides have nothing to do any more, but for what is in from_node.
    Ns sends_until = 0, receives_until = 0;
    Inbox arrived;  // what the network has brought, in order
    Inbox
        from_node;  // what else was sent inside the node, by sent_before(); Message::at is of the first byte
  };
  static_assert(sizeof(Pe) == 192);
  /// What is the next to take from the inboxes of a PE.
  struct Arrival {
    Ns at = kNever;  // its last byte
    MessageIndex message = kNone;
    bool is_from_node = false;
  };
  /// A message on its way, by message.
  struct Flight {
    PeIndex from = 0, to = 0;
    union {
      std::uint64_t wire_bytes = 0;
      Ns side_ns;  // Pe::from_node: how long its sides are busy with it
    };
    Ns departed = 0;
    MessageIndex notice = kNone;  // what its sender's PE gets when it has arrived
    std::uint32_t turn = 0;       // of its lane
  };
  /// From one PE to another, on networks that do not keep the order.
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
  /// Whether all that has come so far could be taken.
  bool take_arrived(Pe& pe, PeIndex index);
  void wake_sleepers(Pe& pe, PeIndex index);
  void deliver_until(Ns limit);
  void deliver_in_turn(const Flight& flight, MessageIndex message, Ns at);
  void put_into_inbox(PeIndex index, MessageIndex message, Ns at);
  void send_inside(MessageIndex message, PeIndex from, PeIndex to, Ns side_ns);
  /// The order of messages whose first or last bytes come at equal times.
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
  const bool sends_inside_;  // messages inside a node, without the network
  const std::size_t most_later_;
  Ns limit_ = 0;        // of the window
  Ns least_limit_ = 0;  // the same, when one PE runs alone: what it sends may bring its limit forward to here
  bool alone_ = false;  // one PE runs, and no other before its limit
  PeIndex running_ = kNone;
  LargeVector<Pe> pes_;
  std::vector<std::vector<Sleeper>> sleepers_;  // by PE; empty: nobody has slept
  std::vector<TaskId> next_ready_;              // by task
  Pool<Message> messages_;
  LargeVector<Flight> flights_;
  std::unordered_map<std::uint64_t, Lane> lanes_;
  TimesOfNumbers due_;  // PEs, by the time at which they are to be looked at; some more than once
  static constexpr int due_stages = 1 + Workload::depths, later_stages = 2;
  LookAhead<due_stages> due_ahead_;
  std::vector<PeIndex> window_pes_;
  std::vector<Departure> departures_;  // in this window
  TimeQueue later_;                    // in those after it
  LookAhead<later_stages> later_ahead_;
  std::array<Overhead, 3> overheads_;  // within a PE, within a node, and between nodes
  std::uint64_t left_later_ = 0;
  std::size_t from_nodes_ = 0;  // messages in all Pe::from_node
  std::uint64_t sleeps_ = 0;
  std::uint64_t switches_ = 0;
};

}  // namespace skein::simulate
