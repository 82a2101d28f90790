// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/rank_player.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "lb/simulate/large_pages.hpp"

namespace skein::simulate {

using trace::Event;
using trace::EventKind;

namespace {

constexpr double kNoRate = std::numeric_limits<double>::quiet_NaN();

}  // namespace

RankPlayer::RankPlayer(JobState& job, Network& network)
    : job_(job),
      streams_(job.trace, places_),
      ranks_(job.trace.object_count()),
      machine_(job.platform, job.speed, network, *this, job.trace.object_count()),
      waits_(machine_, job.pe_of),
      messages_(machine_, waits_, job.pe_of, job.platform, places_, !job.policy.wildcards_as_recorded),
      groups_(job.trace),
      collectives_{machine_, messages_, waits_, groups_, job.pe_of, job.generation},
      cancelled_(job.trace),
      only_speed_counts_(job.platform.noise == 0 && job.platform.contention.empty() &&
                         !job.policy.keep_bursts) {
  collectives_.leader_on_pe.assign(machine_.pes(), kNone);
  if (job.stops.has_task()) (void)waits_.add_task(0);  // its number is taken
}

RankPlayer::~RankPlayer() {
  for (Rank& rank : ranks_)
    if (rank.call) delete_call(rank.call);
  for (Beside& beside : beside_)
    if (beside.call) delete_call(beside.call);
}

/// Begins streams in the order of memory: in the order in which ranks run each would be far from the last.
void RankPlayer::begin() {
  for (ObjectIndex object = 0; object < ranks_.size(); ++object) {
    streams_.prefetch_beginnings_after(object);
    (void)streams_.has_event(object, ranks_[object].at);
    machine_.make_ready(job_.pe_of[object], object);
  }
}

void RankPlayer::resume() {
  stopped_ = 0;
  for (ObjectIndex object = 0; object < ranks_.size(); ++object) {
    Stage& stage = ranks_[object].stage;
    if (stage != Stage::stopped && stage != Stage::meets) continue;
    stage = stage == Stage::stopped ? Stage::between : Stage::at_event;
    machine_.make_ready(job_.pe_of[object], object);
  }
}

void RankPlayer::end(Rank& rank, Stage stage) {
  rank.stage = stage;
  ++ended_;
  if (stage == Stage::cut) ++cut_;
}

bool RankPlayer::run(PeIndex pe, TaskId task) {
  if (task >= ranks_.size()) [[unlikely]] {
    if (task == ranks_.size() && job_.stops.has_task())
      job_.stops.wake(machine_);
    else
      run_beside(task);
    return true;
  }
  Rank& rank = ranks_[task];
  if (rank.stage == Stage::waits) prefetch_sends(pe, task, rank);
  Ns& clock = machine_.clock(pe);
  JobState::Share& share = job_.shares[task];
  const double rate = only_speed_counts_ ? job_.speed.steady_rate(pe) : kNoRate;
  for (;;) {
    if (!streams_.has_event(task, rank.at)) [[unlikely]] {
      end(rank, Stage::cut);
      job_.end(machine_, pe, task);
      return true;
    }
    Streams::Place after;
    const Reading event = streams_.read(task, rank.at, after);
    if (rank.stage == Stage::between) [[likely]] {
      const std::uint64_t number = rank.events++;
      if (!compute_steadily(rate, event.burst_ns, clock, share) &&
          !job_.compute(machine_, pe, task, event.burst_ns, number)) [[unlikely]] {
        rank.stage = Stage::computes;
        return false;
      }
    } else {
      const Resumption now = go_on(pe, task, rank, event.anew());
      if (now == Resumption::over) {
        rank.at.place = after;
        continue;
      }
      if (now != Resumption::at_event) return now == Resumption::gives_way;
    }
    if (machine_.is_far_ahead(pe) &&
        (event.kind() == EventKind::send || event.kind() == EventKind::collective)) {
      rank.stage = Stage::at_event;
      return false;
    }
    if (!act(pe, task, rank, event)) {
      if (!is_at_event(rank.stage)) rank.at.place = after;
      return true;
    }
    rank.at.place = after;
  }
}

/// Computes as JobState::compute() does, if only the rate of the PE matters and no number becomes too large.
inline bool RankPlayer::compute_steadily(double rate, std::uint64_t burst_ns, Ns& clock,
                                         JobState::Share& share) {
  const double wall = static_cast<double>(static_cast<Ns>(burst_ns)) * rate;
  if (burst_ns >= static_cast<std::uint64_t>(kLongestBurstNs) ||
      !(wall < static_cast<double>(kLongestBurstNs / 2))) [[unlikely]]
    return false;
  const auto ns = static_cast<Ns>(wall + 0.5);
  if (clock >= kHorizonNs - ns) [[unlikely]]
    return false;
  clock += ns;
  share.busy += ns;
  share.work_ns += burst_ns;
  return true;
}

RankPlayer::Resumption RankPlayer::go_on(PeIndex pe, ObjectIndex object, Rank& rank, Reading event) {
  switch (rank.stage) {
    case Stage::waits:
      if (event.kind() == EventKind::wait) waits_.retire(object, event.action->list, event.action->latest);
      rank.stage = Stage::between;
      return Resumption::over;
    case Stage::in_collective:
      return run_collective(rank) ? Resumption::over : Resumption::gives_way;
    case Stage::computes:
      if (!job_.go_on_computing(machine_, pe, object, event.burst_ns, rank.events - 1))
        return Resumption::must_wait;
      break;
    default:
      break;
  }
  rank.stage = Stage::between;
  return Resumption::at_event;
}

bool RankPlayer::blocks_for(Rank& rank, ObjectIndex object) {
  waits_.expect(object);
  return blocks(rank, object);
}

bool RankPlayer::blocks(Rank& rank, ObjectIndex object) {
  if (waits_.may_go_on(object)) return false;
  rank.stage = Stage::waits;
  return true;
}

void RankPlayer::prefetch(TaskId task, int depth) const {
  if (task >= ranks_.size()) return;
  const Rank& rank = ranks_[task];
  if (depth == 0) {
    prefetch_line(&rank);
  } else {
    prefetch_line(rank.at.place.order);
    prefetch_line(rank.at.place.numbers);
    for (std::uint32_t line = 0; line < rank.at.line_count && line < 40; line += 8)
      prefetch_line(rank.at.lines + line);
    prefetch_line(&job_.pe_of[task]);  // also prefetches objects near it
    prefetch_line(&job_.shares[task]);
    prefetch_waiting(task);
  }
}

/// Prefetches for messages within the PE, which touch their receiver some events from now.
void RankPlayer::prefetch_sends(PeIndex pe, ObjectIndex object, const Rank& rank) const {
  messages_.matching().prefetch_messages(object);
  streams_.for_sends_ahead(object, rank.at, [&](ObjectIndex receiver) {
    // Without a branch: which receivers are here differs from rank to rank.
    const PeIndex at = job_.pe_of[std::min<std::size_t>(receiver, ranks_.size() - 1)];
    machine_.prefetch_receiving(at);
    prefetch_waiting(at == pe ? receiver : object);
  });
}

void RankPlayer::prefetch_receiver(ObjectIndex receiver) const {
  if (receiver >= ranks_.size()) return;
  prefetch_waiting(receiver);
  prefetch_line(&ranks_[receiver]);
}

void RankPlayer::prefetch_waiting(ObjectIndex receiver) const {
  messages_.matching().prefetch(receiver);
  waits_.prefetch(receiver);
}

/// Most events are sends and receives: functions that they call are inlined.
[[gnu::always_inline]] inline bool RankPlayer::act(PeIndex pe, ObjectIndex object, Rank& rank,
                                                   const Reading& event) {
  // These come before all others, without a jump table.
  if (event.kind() == EventKind::send)
    return send(object, rank, *event.action, static_cast<ObjectIndex>(event.partner), event.bytes);
  if (event.kind() == EventKind::receive) return receive(object, rank, *event.action, event.partner);
  switch (event.kind()) {
    case EventKind::wait:
      if (!waits_.wait_for(object, event.action->list, event.action->latest)) {
        rank.stage = Stage::waits;
        return false;
      }
      waits_.retire(object, event.action->list, event.action->latest);
      return true;
    case EventKind::collective:
      return collective(pe, object, rank, event.anew());
    case EventKind::probe:
      if (cancelled_.has_sends({static_cast<ObjectIndex>(event.partner), object, event.action->communicator,
                                event.action->tag}))
        return true;
      (void)messages_.probe(channel_to(static_cast<ObjectIndex>(event.partner), object, *event.action));
      return !blocks(rank, object);
    case EventKind::sync:
      return sync(pe, object, rank, event.bytes);
    case EventKind::file:
      job_.occupy(machine_, pe, object, event.call_ns, rank.events - 1);
      return true;
    case EventKind::sleep:
      if (event.call_ns >= static_cast<std::uint64_t>(kLongestBurstNs))
        fail_as_too_long(static_cast<double>(event.call_ns), "a sleep of rank " + std::to_string(object));
      machine_.wake_at(pe, object, machine_.clock(pe) + static_cast<Ns>(event.call_ns));
      rank.stage = Stage::waits;
      return false;
    case EventKind::end:
      end(rank, Stage::ended);
      job_.end(machine_, pe, object);
      return false;
    case EventKind::matched:
      if (event.partner == trace::kAny && !event.action->list.empty())
        waits_.complete({object, waits_.requests(object).started() - 1 -
                                     static_cast<std::uint32_t>(event.action->list[0])});
      return true;
    case EventKind::region_begin:
    case EventKind::region_end:
      return true;
    default:
      throw trace::TraceError("event " + std::to_string(rank.events) + " of rank " + std::to_string(object) +
                              " is one of a native program");
  }
}

MessageKey RankPlayer::channel_to(ObjectIndex sender, ObjectIndex receiver, const Action& action) {
  return {receiver, sender, action.communicator * 2, action.tag, action.place};
}

template <class Begin>
inline bool RankPlayer::start(ObjectIndex object, Rank& rank, const Action& action, Begin begin) {
  const bool starts = action.starts_request();
  const Completion done{object, starts ? waits_.requests(object).started() : kNone};
  if (starts && cancelled_.has(object, done.request)) [[unlikely]] {
    waits_.requests(object).start();
    return true;
  }
  const bool complete = begin(done);
  if (starts) [[likely]] {
    waits_.requests(object).start(complete);
    return true;
  }
  return complete || !blocks_for(rank, object);
}

inline bool RankPlayer::send(ObjectIndex object, Rank& rank, const Action& action, ObjectIndex receiver,
                             std::uint64_t bytes) {
  const Sending sending{.channel = channel_to(object, receiver, action),
                        .bytes = bytes,
                        .mode = static_cast<trace::SendMode>(action.what)};
  return start(object, rank, action, [&](Completion done) { return messages_.start_send(sending, done); });
}

inline bool RankPlayer::receive(ObjectIndex object, Rank& rank, const Action& action, std::int32_t source) {
  if (action.starts_request() && (source == trace::kAny || action.tag == trace::kAny)) [[unlikely]] {
    start_wild_receive(object, action, source);
    return true;
  }
  const MessageKey channel = channel_to(static_cast<ObjectIndex>(source), object, action);
  return start(object, rank, action, [&](Completion done) { return messages_.start_receive(channel, done); });
}

void RankPlayer::start_wild_receive(ObjectIndex object, const Action& action, std::int32_t source) {
  const std::uint32_t request = waits_.requests(object).started();
  const auto begin = [&] {
    if (cancelled_.has(object, request)) return false;
    MessageKey channel = channel_to(static_cast<ObjectIndex>(source), object, action);
    if (!job_.policy.wildcards_as_recorded)
      return messages_.start_receive(object,
                                     {source, action.tag, channel.communicator, {object, request}, 0});
    if (wildcards_.empty()) wildcards_.resize(ranks_.size());
    if (!wildcards_[object]) wildcards_[object] = std::make_unique<Wildcards>(job_.trace, object);
    const auto taken = wildcards_[object]->source_of(request);
    if (!taken) return false;  // it never took a message
    channel.sender = static_cast<ObjectIndex>(taken->partner);
    channel.tag = taken->tag;
    channel.place = places_.of(channel.communicator, channel.tag);
    return messages_.start_receive(channel, {object, request});
  };
  waits_.requests(object).start(begin());
}

bool RankPlayer::sync(PeIndex pe, ObjectIndex object, Rank& rank, std::uint64_t bytes) {
  switch (job_.comes_to_point(machine_, pe, object, rank.points + 1, bytes)) {
    case Stops::At::passes:
      ++rank.points;
      return true;
    case Stops::At::gives_way:
      ++rank.points;
      rank.stage = Stage::between;
      machine_.make_ready(pe, object);
      return false;
    case Stops::At::stops:
      ++rank.points;
      rank.stage = Stage::stopped;
      ++stopped_;
      return false;
    case Stops::At::meets:
      rank.stage = Stage::meets;
      ++stopped_;
      return false;
    case Stops::At::holds:
      rank.stage = Stage::at_event;
      return false;
  }
  return true;
}

// ---- collectives

CollectiveCall* RankPlayer::new_call(TaskId task, ObjectIndex self, const Event& event, bool blocking) {
  void* const room = collectives_.memory.allocate(sizeof(CollectiveCall), alignof(CollectiveCall));
  try {
    return new (room) CollectiveCall(collectives_, task, self, event, blocking);
  } catch (...) {
    collectives_.memory.deallocate(room, sizeof(CollectiveCall), alignof(CollectiveCall));
    throw;
  }
}

void RankPlayer::delete_call(CollectiveCall* call) {
  call->~CollectiveCall();
  collectives_.memory.deallocate(call, sizeof(CollectiveCall), alignof(CollectiveCall));
}

bool RankPlayer::run_collective(Rank& rank) {
  if (!rank.call->resume()) {
    rank.stage = Stage::in_collective;
    return false;
  }
  delete_call(std::exchange(rank.call, nullptr));
  rank.stage = Stage::between;
  return true;
}

bool RankPlayer::collective(PeIndex pe, ObjectIndex object, Rank& rank, Reading event) {
  if (!event.action->starts_request()) {
    rank.call = new_call(object, object, event.event(), true);
    return run_collective(rank);
  }
  const TaskId task = waits_.add_task(object);
  const std::size_t place = task - ranks_.size();
  if (place >= beside_.size()) beside_.resize(place + 1);
  beside_[place] = {new_call(task, object, event.event(), false), waits_.requests(object).start()};
  if (beside_[place].call->is_joint()) {  // without a fiber, so no rank gives way
    run_beside(task);
    return true;
  }
  machine_.make_ready(pe, task);
  machine_.make_ready(pe, object);  // like the runtime, lets the others run
  rank.stage = Stage::between;
  return false;
}

void RankPlayer::run_beside(TaskId task) {
  Beside& beside = beside_[task - ranks_.size()];
  if (!beside.call->resume()) return;
  delete_call(std::exchange(beside.call, nullptr));
  const ObjectIndex object = waits_.object_of(task);
  waits_.remove_task(task);
  waits_.complete({object, beside.request});
}

}  // namespace skein::simulate
