// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/machine.hpp"

#include <algorithm>

namespace skein::simulate {
namespace {

// As the runtime's scheduler: what has come waits no longer than one task computes.
constexpr Ns between_polls_ns = 5000;
constexpr int windows_between_looks = 256;  // at `stop`

}  // namespace

Machine::Machine(const Platform& platform, Network& network, Workload& workload, std::size_t tasks)
    : platform_(platform),
      network_(network),
      workload_(workload),
      lookahead_(std::max<Ns>(1, network.lookahead())),
      switch_ns_(static_cast<Ns>(platform.switch_ns + 0.5)),
      pes_(platform.pe_count()),
      next_ready_(tasks, none) {
  for (PeIndex pe = 0; pe < pes_.size(); ++pe) pes_[pe].node = platform.node_of(pe);
}

void Machine::make_ready(PeIndex index, TaskId task) {
  Pe& pe = pes_[index];
  if (task >= next_ready_.size()) next_ready_.resize(task + 1, none);
  next_ready_[task] = none;
  (pe.ready_last == none ? pe.ready_first : next_ready_[pe.ready_last]) = task;
  pe.ready_last = task;
  schedule(index, pe.clock);
}

void Machine::wake_at(PeIndex index, TaskId task, Ns at) {
  Pe& pe = pes_[index];
  pe.sleepers.push_back({at, sleeps_++, task});
  std::push_heap(pe.sleepers.begin(), pe.sleepers.end());
  schedule(index, at);
}

void Machine::schedule(PeIndex index, Ns at) {
  Pe& pe = pes_[index];
  if (index == running_ || at >= pe.scheduled) return;
  pe.scheduled = at;
  due_.push({at, index, index});
}

// ---- messages

void Machine::send(MessageIndex message, PeIndex from, PeIndex to, std::uint64_t wire_bytes) {
  const Level& of = level(from, to);
  Pe& pe = pes_[from];
  pe.clock += send_time(of, wire_bytes);
  messages_[message].receive_ns = receive_time(of, wire_bytes);
  if (message >= flights_.size()) flights_.resize(std::max<std::size_t>(message + 1, 2 * flights_.size()));
  flights_[message] = {from, to, wire_bytes, none};
  const Departure departure{pe.clock, from, message};
  if (departure.at >= limit_) {
    later_.push({departure.at, static_cast<std::uint64_t>(from) << 40 | (left_later_++ & ((1ull << 40) - 1)),
                 message});
  } else if (alone_) {
    depart(departure);
    limit_ = std::max(least_limit_, std::min(limit_, network_.next()));
  } else {
    departures_.push_back(departure);
  }
}

void Machine::tell_when_arrived(MessageIndex message, MessageIndex notice) {
  flights_[message].notice = notice;
}

void Machine::depart(const Departure& departure) {
  const Flight& flight = flights_[departure.message];
  network_.send(departure.message, flight.from, flight.to, flight.wire_bytes, departure.at);
}

void Machine::depart_in_order() {
  if (departures_.empty()) return;
  std::stable_sort(departures_.begin(), departures_.end());
  for (const Departure& departure : departures_) depart(departure);
  departures_.clear();
}

void Machine::put_into_inbox(PeIndex index, MessageIndex message) {
  Pe& pe = pes_[index];
  messages_[message].next = none;
  (pe.inbox_last == none ? pe.inbox_first : messages_[pe.inbox_last].next) = message;
  pe.inbox_last = message;
  schedule(index, std::max(pe.clock, messages_[message].at));
}

void Machine::deliver_until(Ns limit) {
  while (network_.next() < limit) {
    const Delivery delivery = network_.take();
    if (delivery.message == Delivery::none) continue;
    const auto message = static_cast<MessageIndex>(delivery.message);
    const Flight& flight = flights_[message];
    messages_[message].at = delivery.at;
    put_into_inbox(flight.to, message);
    if (flight.notice == none) continue;
    messages_[flight.notice].at = delivery.at;
    put_into_inbox(flight.from, flight.notice);
  }
}

// ---- time

Ns Machine::next_due() {
  while (!due_.empty() && pes_[due_.top().value].scheduled != due_.top().at) due_.pop();
  return due_.empty() ? never : due_.top().at;
}

Ns Machine::next_event() {
  return std::min({next_due(), network_.next(), later_.empty() ? never : later_.top().at});
}

void Machine::run(const std::atomic<bool>* stop) {
  int windows = 0;
  for (Ns at = next_event(); at != never; at = next_event()) {
    run_window(at);
    if (++windows % windows_between_looks == 0 && stop && stop->load(std::memory_order_relaxed))
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
    window_pes_.push_back(due_.top().value);
    pes_[due_.top().value].scheduled = never;
  }
  alone_ = window_pes_.size() == 1 && departures_.empty() && later_.empty();
  if (alone_) {
    least_limit_ = limit_;
    limit_ = std::max(limit_, std::min(next_due(), network_.next()));
  }
  // In the order of memory, and in one that does not depend on the window.
  std::sort(window_pes_.begin(), window_pes_.end());
  for (const PeIndex pe : window_pes_) run_pe(pe);
  alone_ = false;
  depart_in_order();
}

void Machine::wake_sleepers(Pe& pe, PeIndex index) {
  while (!pe.sleepers.empty() && pe.sleepers.front().at <= pe.clock) {
    std::pop_heap(pe.sleepers.begin(), pe.sleepers.end());
    make_ready(index, pe.sleepers.back().task);
    pe.sleepers.pop_back();
  }
}

bool Machine::take_arrived(Pe& pe, PeIndex index) {
  for (;;) {
    if (pe.clock >= limit_) return false;
    const MessageIndex message = pe.inbox_first;
    if (message == none || messages_[message].at > pe.clock) return true;
    pe.inbox_first = messages_[message].next;
    if (pe.inbox_first == none) pe.inbox_last = none;
    pe.clock += messages_[message].receive_ns;
    workload_.take(index, message);
  }
}

void Machine::run_pe(PeIndex index) {
  Pe& pe = pes_[index];
  running_ = index;
  Ns again = never;
  for (;;) {
    if (pe.current != none) {
      if (!workload_.run(index, pe.current)) {
        again = pe.clock;
        break;
      }
      pe.current = none;
    }
    wake_sleepers(pe, index);
    if (pe.polling || pe.ready_first == none || pe.clock >= pe.poll_due) {
      pe.polling = !take_arrived(pe, index);
      if (pe.polling) {
        again = pe.clock;
        break;
      }
      if (pe.clock >= pe.poll_due) pe.poll_due = pe.clock + between_polls_ns;
    }
    if (pe.ready_first == none) {
      const Ns arrival = pe.inbox_first == none ? never : messages_[pe.inbox_first].at;
      const Ns wake = pe.sleepers.empty() ? never : pe.sleepers.front().at;
      const Ns next = std::min(arrival, wake);
      if (next >= limit_) {
        again = next;
        break;
      }
      pe.clock = next;
      continue;
    }
    pe.current = pe.ready_first;
    pe.ready_first = next_ready_[pe.current];
    if (pe.ready_first == none) pe.ready_last = none;
    if (pe.last != pe.current && pe.last != none) {
      pe.clock += switch_ns_;
      ++switches_;
    }
    pe.last = pe.current;
  }
  running_ = none;
  if (again != never) schedule(index, again);
}

Ns Machine::latest() const {
  Ns latest = 0;
  for (const Pe& pe : pes_) latest = std::max(latest, pe.clock);
  return latest;
}

}  // namespace skein::simulate
