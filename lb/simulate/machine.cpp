// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/machine.hpp"

#include <algorithm>
#include <cmath>

#include "lb/simulate/horizon.hpp"
#include "lb/simulate/large_pages.hpp"

namespace skein::simulate {
namespace {

/// As in the runtime's scheduler, arrived messages wait no longer than one task computes.
constexpr Ns kBetweenPollsNs = 5000;
constexpr int kWindowsBetweenLooks = 256;  // at `stop`

}  // namespace

Machine::Machine(const Platform& platform, const PeSpeed& speed, Network& network, Workload& workload,
                 std::size_t tasks)
    : platform_(platform),
      nodes_(platform),
      speed_(speed),
      network_(network),
      workload_(workload),
      network_keeps_order_(network.keeps_order()),
      lookahead_(std::max<Ns>(1, network.lookahead())),
      switch_ns_(static_cast<Ns>(platform.switch_ns + 0.5)),
      node_latency_(std::llround(platform.node.latency_ns)),
      /// With contention, windows of time matter, and with them all events of the network. Without a latency
      /// a message would be in the inbox of a PE that runs later in the window, but not of one that ran
      /// before.
      sends_inside_(network.is_flat_inside() && platform.contention.empty() && node_latency_ > 0),
      most_later_(most_later_a_pe * platform.pe_count()),
      pes_(platform.pe_count()),
      next_ready_(tasks, kNone) {
  if (!platform.contention.empty()) contention_.emplace(platform, speed);
}

void Machine::make_ready(PeIndex index, TaskId task) {
  Pe& pe = pes_[index];
  if (task >= next_ready_.size()) next_ready_.resize(task + 1, kNone);
  next_ready_[task] = kNone;
  (pe.ready_last == kNone ? pe.ready_first : next_ready_[pe.ready_last]) = task;
  pe.ready_last = task;
  workload_.prefetch(task, 0);
  schedule(index, pe.clock);
}

void Machine::wake_at(PeIndex index, TaskId task, Ns at) {
  if (sleepers_.empty()) sleepers_.resize(pes_.size());
  std::vector<Sleeper>& sleepers = sleepers_[index];
  sleepers.push_back({at, sleeps_++, task});
  std::push_heap(sleepers.begin(), sleepers.end());
  pes_[index].has_sleepers = true;
  schedule(index, at);
}

void Machine::schedule(PeIndex index, Ns at) {
  Pe& pe = pes_[index];
  if (index == running_ || at >= pe.scheduled) return;
  pe.scheduled = at;
  due_.push(at, index, {});
}

// ---- bursts among others

Machine::Burst Machine::compute_among_others(PeIndex index, std::uint64_t work_ns) {
  Pe& pe = pes_[index];
  pe.clock = contention_->begin(index, pe.clock, work_ns);
  if (burst_is_over(index)) return take_burst(index);
  return {contention_->began(index), pe.clock, 0, false};
}

void Machine::set_busy(PeIndex index, bool busy) {
  if (!contention_ || contention_->is_busy(index) == busy) return;
  contention_->set_busy(index, busy, pes_[index].clock, [this](PeIndex other, Ns end) {
    pes_[other].clock = pes_[other].scheduled = end;
    due_.push(end, other, {});
    if (alone_) limit_ = std::max(least_limit_, std::min(limit_, end));
  });
}

// ---- messages

void Machine::send(MessageIndex message, PeIndex from, PeIndex to, std::uint64_t wire_bytes) {
  const bool inside = same_node(from, to);
  const Overhead& of =
      inside ? overhead(1, platform_.node, wire_bytes) : overhead(2, platform_.network, wire_bytes);
  Pe& pe = pes_[from];
  pe.clock += of.send;
  if (pe.clock >= kHorizonNs) [[unlikely]]
    fail_beyond_horizon(platform_);
  messages_[message].receive_ns = of.receive;
  if (message >= flights_.size()) flights_.resize(std::max<std::size_t>(message + 1, 2 * flights_.size()));
  if (inside && sends_inside_) {
    send_inside(message, from, to, of.side);
    return;
  }
  flights_[message] = {from, to, {wire_bytes}};
  const Departure departure{pe.clock, from, message};
  if (departure.at >= limit_) {
    later_.push(departure.at, static_cast<std::uint64_t>(from) << 40 | (left_later_++ & ((1ull << 40) - 1)),
                message);
  } else if (alone_) {
    depart(departure);
    limit_ = std::max(least_limit_, std::min(limit_, network_.next()));
  } else {
    departures_.push_back(departure);
  }
}

void Machine::send_inside(MessageIndex message, PeIndex from, PeIndex to, Ns side_ns) {
  Pe& sender = pes_[from];
  const Ns begin = std::max(sender.clock, sender.sends_until);
  sender.sends_until = begin + side_ns;
  if (sender.sends_until >= kHorizonNs) [[unlikely]]
    fail_beyond_horizon(platform_);
  flights_[message] = {.from = from, .to = to, .side_ns = side_ns, .departed = sender.clock};
  const Ns first_byte = messages_[message].at = begin + node_latency_;
  ++from_nodes_;
  Pe& receiver = pes_[to];
  receiver.from_node.insert(messages_, message,
                            [this](MessageIndex a, MessageIndex b) { return sent_before(a, b); });
  if (receiver.from_node.first() == message) {
    const Ns arrival = std::max(first_byte, receiver.receives_until) + side_ns;
    // The receiver was not foreseen to run so early, so nothing was prefetched for it.
    if (arrival < receiver.scheduled) workload_.prefetch_receiver(messages_[message].receiver);
    schedule(to, std::max(receiver.clock, arrival));
  }
  if (alone_) limit_ = std::max(least_limit_, std::min(limit_, first_byte));
}

bool Machine::sent_before(MessageIndex a, MessageIndex b) const {
  const Flight &one = flights_[a], &other = flights_[b];
  return one.departed != other.departed ? one.departed < other.departed : one.from < other.from;
}

void Machine::notify_when_arrived(MessageIndex message, MessageIndex notice) {
  flights_[message].notice = notice;
}

void Machine::depart(const Departure& departure) {
  Flight& flight = flights_[departure.message];
  // Prefetches until it arrives: a receiver that waits for it was not foreseen to run so early.
  prefetch_pe(flight.to, 0);
  workload_.prefetch_receiver(messages_[departure.message].receiver);
  flight.departed = departure.at;
  if (has_turn(departure.message)) flight.turn = lane_of(flight).sent++;
  network_.send(departure.message, flight.from, flight.to, flight.wire_bytes, departure.at);
}

void Machine::depart_in_order() {
  if (departures_.empty()) return;
  // Departures are few, and nearly in order.
  for (auto at = departures_.begin() + 1; at != departures_.end(); ++at)
    if (*at < at[-1]) {
      std::stable_sort(departures_.begin(), departures_.end());
      break;
    }
  for (const Departure& departure : departures_) depart(departure);
  departures_.clear();
}

void Machine::put_into_inbox(PeIndex index, MessageIndex message, Ns at) {
  Pe& pe = pes_[index];
  messages_[message].at = at;
  pe.arrived.append(messages_, message);
  schedule(index, std::max(pe.clock, at));
}

Machine::Arrival Machine::first_arrival(const Pe& pe) const {
  Arrival first;
  if (const MessageIndex message = pe.arrived.first(); message != kNone)
    first = {messages_[message].at, message, false};
  const MessageIndex message = pe.from_node.first();
  if (message == kNone) return first;
  const Ns at = std::max(messages_[message].at, pe.receives_until) + flights_[message].side_ns;
  if (at < first.at || (at == first.at && sent_before(message, first.message))) first = {at, message, true};
  return first;
}

/// Also prefetches the next message but one after the ring, and the receiver of the next one.
void Machine::remove(Pe& pe, const Arrival& arrival) {
  Inbox& from = arrival.is_from_node ? pe.from_node : pe.arrived;
  from.remove_first(messages_);
  if (arrival.is_from_node) {
    --from_nodes_;
    pe.receives_until = arrival.at;
    if (arrival.at - flights_[arrival.message].side_ns >= kHorizonNs) [[unlikely]]
      fail_beyond_horizon(platform_);
  }
  if (from.beyond() == kNone) return;
  const Message& next = messages_[from.beyond()];
  workload_.prefetch_receiver(next.receiver);
  if (next.next != kNone) messages_.prefetch(next.next);
}

void Machine::deliver_in_turn(const Flight& flight, MessageIndex message, Ns at) {
  Lane& lane = lane_of(flight);
  if (flight.turn != lane.arrived) {
    lane.early.push_back(message);
    return;
  }
  for (;;) {
    put_into_inbox(flight.to, message, at);
    ++lane.arrived;
    const auto next = std::ranges::find_if(
        lane.early, [&](MessageIndex early) { return flights_[early].turn == lane.arrived; });
    if (next == lane.early.end()) return;
    message = *next;
    lane.early.erase(next);
  }
}

void Machine::deliver_until(Ns limit) {
  while (network_.next() < limit) {
    const Delivery delivery = network_.take();
    if (delivery.message == Delivery::none) continue;
    const auto message = static_cast<MessageIndex>(delivery.message);
    const Flight& flight = flights_[message];
    if (has_turn(message))
      deliver_in_turn(flight, message, delivery.at);
    else
      put_into_inbox(flight.to, message, delivery.at);
    if (flight.notice != kNone) put_into_inbox(flight.from, flight.notice, delivery.at);
  }
}

// ---- prefetching

void Machine::look_ahead() {
  due_ahead_(due_, [&](const TimesOfNumbers::Item& item, int stage) {
    prefetch_pe(static_cast<PeIndex>(item.order), stage);
  });
  later_ahead_(later_, [&](const TimeQueue::Item& item, int stage) { prefetch_leaving(item.value, stage); });
}

/// Prefetches in stages: first the PE itself, then the data that it leads to.
void Machine::prefetch_pe(PeIndex index, int stage) {
  Pe& pe = pes_[index];
  if (stage == 0) {
    prefetch_line(&pe);
    prefetch_line(&pe.arrived);
    prefetch_line(&pe.from_node);
    return;
  }
  const TaskId task = pe.current != kNone ? pe.current : pe.ready_first;
  if (task == kNone) return;
  if (stage == 1) prefetch_line(&next_ready_[task]);
  workload_.prefetch(task, stage - 1);
  if (stage == Workload::depths) pe.prefetched = task;
}

/// Prefetches the first messages that a PE takes in this window, and their receivers.
void Machine::prefetch_inbox(const Pe& pe) {
  const auto fetch = [this](MessageIndex message, ObjectIndex receiver) {
    messages_.prefetch(message);
    workload_.prefetch_receiver(receiver);
  };
  pe.arrived.for_nearest(fetch);
  pe.from_node.for_nearest([&](MessageIndex message, ObjectIndex receiver) {
    fetch(message, receiver);
    prefetch_line(&flights_[message]);
  });
}

/// Prefetches what a task needs at least, all at once, if the task was not foreseen to run.
void Machine::prefetch_current(Pe& pe) {
  if (pe.prefetched != pe.current)
    for (int depth = 0; depth < Workload::depths; ++depth) workload_.prefetch(pe.current, depth);
  pe.prefetched = kNone;
}

void Machine::prefetch_leaving(MessageIndex message, int stage) {
  const Flight& flight = flights_[message];
  if (stage == 0) {
    prefetch_line(&flight);
    messages_.prefetch(message);
  } else {
    network_.prefetch(flight.from, flight.to);
  }
}

// ---- time

Ns Machine::next_due() {
  while (!due_.empty()) {
    const TimesOfNumbers::Item& first = due_.top();
    if (pes_[first.order].scheduled == first.at) return first.at;
    due_.pop();
  }
  return kNever;
}

Ns Machine::next_event() {
  return std::min({next_due(), network_.next(), later_.empty() ? kNever : later_.top().at});
}

void Machine::run(const std::atomic<bool>* stop) {
  int windows = 0;
  for (Ns at = next_event(); at != kNever; at = next_event()) {
    if (at >= kHorizonNs) fail_beyond_horizon(platform_);
    run_window(at);
    if (++windows % kWindowsBetweenLooks == 0 && stop && stop->load(std::memory_order_relaxed))
      throw SimulationError("the simulation was given up before its end");
  }
}

void Machine::run_window(Ns begin) {
  limit_ = begin + lookahead_;
  for (; !later_.empty() && later_.top().at < limit_; later_.pop())
    departures_.push_back(
        {later_.top().at, static_cast<PeIndex>(later_.top().order >> 40), later_.top().value});
  deliver_until(limit_);
  window_pes_.clear();
  for (; next_due() < limit_; due_.pop()) {
    const auto index = static_cast<PeIndex>(due_.top().order);
    window_pes_.push_back(index);
    pes_[index].scheduled = kNever;
    prefetch_inbox(pes_[index]);
  }
  look_ahead();
  alone_ = window_pes_.size() == 1 && departures_.empty();
  if (alone_) {
    least_limit_ = limit_;
    limit_ = std::max(limit_, next_event());
  }
  // In the order of memory, which does not depend on the window.
  std::sort(window_pes_.begin(), window_pes_.end());
  for (const PeIndex pe : window_pes_) run_pe(pe);
  alone_ = false;
  depart_in_order();
}

void Machine::wake_sleepers(Pe& pe, PeIndex index) {
  if (!pe.has_sleepers) return;
  std::vector<Sleeper>& sleepers = sleepers_[index];
  while (!sleepers.empty() && sleepers.front().at <= pe.clock) {
    std::pop_heap(sleepers.begin(), sleepers.end());
    make_ready(index, sleepers.back().task);
    sleepers.pop_back();
  }
  pe.has_sleepers = !sleepers.empty();
}

bool Machine::take_arrived(Pe& pe, PeIndex index) {
  for (;;) {
    const Arrival next = first_arrival(pe);
    if (next.at > pe.clock || next.at >= limit_) return pe.clock < limit_;
    remove(pe, next);
    pe.clock += messages_[next.message].receive_ns;
    workload_.take(index, next.message);
  }
}

void Machine::run_pe(PeIndex index) {
  Pe& pe = pes_[index];
  running_ = index;
  Ns again = kNever;
  for (;;) {
    if (pe.current != kNone) {
      set_busy(index, true);
      if (!workload_.run(index, pe.current)) {
        again = pe.clock;
        break;
      }
      pe.current = kNone;
    }
    wake_sleepers(pe, index);
    if (pe.polling || pe.ready_first == kNone || pe.clock >= pe.poll_due) {
      pe.polling = !take_arrived(pe, index);
      if (pe.polling) {
        again = pe.clock;
        break;
      }
      if (pe.clock >= pe.poll_due) pe.poll_due = pe.clock + kBetweenPollsNs;
    }
    if (pe.ready_first == kNone) {
      const Ns wake = pe.has_sleepers ? sleepers_[index].front().at : kNever;
      const Ns next = std::min(first_arrival(pe).at, wake);
      if (next > pe.clock) set_busy(index, false);
      if (next >= limit_) {
        again = next;
        break;
      }
      pe.clock = std::max(pe.clock, next);  // taking messages may have ended after the time to wake
      continue;
    }
    pe.current = pe.ready_first;
    pe.ready_first = next_ready_[pe.current];
    if (pe.ready_first == kNone) pe.ready_last = kNone;
    prefetch_current(pe);
    if (pe.last != pe.current && pe.last != kNone) {
      pe.clock += switch_ns_;
      ++switches_;
    }
    pe.last = pe.current;
  }
  running_ = kNone;
  if (again != kNever) schedule(index, again);
}

Ns Machine::latest() const {
  Ns latest = 0;
  for (const Pe& pe : pes_) latest = std::max(latest, pe.clock);
  return latest;
}

}  // namespace skein::simulate
