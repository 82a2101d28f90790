// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/rank_player.hpp"

#include <algorithm>
#include <new>

namespace skein::simulate {

using trace::Event;
using trace::EventKind;

RankPlayer::RankPlayer(JobState& job, Network& network)
    : job_(job),
      machine_(job.platform, network, *this, job.trace.object_count()),
      waits_(machine_, job.pe_of),
      messages_(machine_, waits_, job.pe_of, job.platform, !job.policy.wildcards_as_recorded),
      groups_(job.trace),
      collectives_{machine_, messages_, waits_, groups_, job.pe_of, job.generation} {
  collectives_.leader_on_pe.assign(machine_.pes(), none);
  ranks_.reserve(job.trace.object_count());
  for (ObjectIndex object = 0; object < job.trace.object_count(); ++object)
    ranks_.emplace_back(job.trace.events(object));
}

RankPlayer::~RankPlayer() {
  for (Rank& rank : ranks_)
    if (rank.call) delete_call(rank.call);
  for (Beside& beside : beside_)
    if (beside.call) delete_call(beside.call);
}

void RankPlayer::begin() {
  for (ObjectIndex object = 0; object < ranks_.size(); ++object)
    machine_.make_ready(job_.pe_of[object], object);
}

void RankPlayer::resume() {
  stopped_ = 0;
  for (ObjectIndex object = 0; object < ranks_.size(); ++object) {
    if (ranks_[object].stage != Stage::stopped) continue;
    ranks_[object].stage = Stage::between;
    machine_.make_ready(job_.pe_of[object], object);
  }
}

void RankPlayer::end(Rank& rank, Stage stage) {
  rank.stage = stage;
  ++ended_;
  if (stage == Stage::cut) ++cut_;
}

bool RankPlayer::run(PeIndex pe, TaskId task) {
  if (task >= ranks_.size()) {
    run_beside(task);
    return true;
  }
  Rank& rank = ranks_[task];
  if (rank.stage == Stage::in_collective) {
    if (!run_collective(rank)) return true;
  } else if (rank.stage == Stage::waits) {
    if (rank.event->kind == EventKind::wait) waits_.retire(task, rank.event->list);
    rank.stage = Stage::between;
  }
  for (;;) {
    if (rank.stage == Stage::between) {
      rank.event = rank.cursor.next();
      if (!rank.event) {
        end(rank, Stage::cut);
        job_.shares[task].ended = true;
        return true;
      }
      job_.compute(machine_, pe, task, rank.event->burst_ns, rank.events++);
      rank.stage = Stage::at_event;
    }
    const EventKind kind = rank.event->kind;
    if (machine_.is_far_ahead(pe) && (kind == EventKind::send || kind == EventKind::collective)) return false;
    if (!act(pe, task, rank)) return true;
    rank.stage = Stage::between;
  }
}

bool RankPlayer::blocks(Rank& rank, ObjectIndex object) {
  if (waits_.may_go_on(object)) return false;
  rank.stage = Stage::waits;
  return true;
}

bool RankPlayer::act(PeIndex pe, ObjectIndex object, Rank& rank) {
  const Event& event = *rank.event;
  switch (event.kind) {
    case EventKind::send:
      return send(object, rank, event);
    case EventKind::receive:
      return receive(object, rank, event);
    case EventKind::wait:
      if (!waits_.wait_for(object, event.list)) {
        rank.stage = Stage::waits;
        return false;
      }
      waits_.retire(object, event.list);
      return true;
    case EventKind::collective:
      return collective(pe, object, rank, event);
    case EventKind::probe:
      (void)messages_.probe(channel_to(static_cast<ObjectIndex>(event.partner), object, event));
      return !blocks(rank, object);
    case EventKind::sync:
      return sync(pe, object, rank, event);
    case EventKind::file:
      job_.occupy(machine_, pe, object, event.call_ns);
      return true;
    case EventKind::sleep:
      machine_.wake_at(pe, object, machine_.clock(pe) + static_cast<Ns>(event.call_ns));
      rank.stage = Stage::waits;
      return false;
    case EventKind::end:
      end(rank, Stage::ended);
      job_.shares[object].ended = true;
      return false;
    case EventKind::matched:
      if (event.partner == trace::any && !event.list.empty())
        messages_.cancel(object,
                         waits_.requests(object).started() - 1 - static_cast<std::uint32_t>(event.list[0]));
      return true;
    case EventKind::region_begin:
    case EventKind::region_end:
      return true;
    default:
      throw trace::TraceError("event " + std::to_string(rank.events) + " of rank " + std::to_string(object) +
                              " is one of a native program");
  }
}

Channel RankPlayer::channel_to(ObjectIndex sender, ObjectIndex receiver, const Event& event) const {
  return {receiver, sender, event.communicator * 2, event.tag};
}

bool RankPlayer::send(ObjectIndex object, Rank& rank, const Event& event) {
  const Sending sending{.channel = channel_to(object, static_cast<ObjectIndex>(event.partner), event),
                        .bytes = event.bytes,
                        .mode = static_cast<trace::SendMode>(event.what)};
  if (event.starts_request) {
    messages_.start_send(sending, {object, waits_.requests(object).start()});
    return true;
  }
  waits_.expect(object);
  messages_.start_send(sending, {object, none});
  return !blocks(rank, object);
}

bool RankPlayer::receive(ObjectIndex object, Rank& rank, const Event& event) {
  if (!event.starts_request) {
    waits_.expect(object);
    messages_.start_receive(channel_to(static_cast<ObjectIndex>(event.partner), object, event),
                            {object, none});
    return !blocks(rank, object);
  }
  const std::uint32_t request = waits_.requests(object).start();
  Channel channel = channel_to(static_cast<ObjectIndex>(event.partner), object, event);
  const bool wild = event.partner == trace::any || event.tag == trace::any;
  if (wild && !job_.policy.wildcards_as_recorded) {
    messages_.start_receive(object, {event.partner, event.tag, channel.communicator, {object, request}, 0});
    return true;
  }
  if (wild) {
    if (wildcards_.empty()) wildcards_.resize(ranks_.size());
    if (!wildcards_[object]) wildcards_[object] = std::make_unique<Wildcards>(job_.trace, object);
    const auto source = wildcards_[object]->source_of(request);
    if (!source || source->partner == trace::any) return true;  // it never took a message
    channel.sender = static_cast<ObjectIndex>(source->partner);
    channel.tag = source->tag;
  }
  messages_.start_receive(channel, {object, request});
  return true;
}

bool RankPlayer::sync(PeIndex, ObjectIndex object, Rank& rank, const Event& event) {
  job_.shares[object].bytes = event.bytes;
  if (!job_.stops.gathers(rank.points++)) return true;
  points_ = std::max(points_, rank.points);
  rank.stage = Stage::stopped;
  ++stopped_;
  return false;
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

bool RankPlayer::collective(PeIndex pe, ObjectIndex object, Rank& rank, const Event& event) {
  if (!event.starts_request) {
    rank.call = new_call(object, object, event, true);
    return run_collective(rank);
  }
  const TaskId task = waits_.add_task(object);
  const std::size_t place = task - ranks_.size();
  if (place >= beside_.size()) beside_.resize(place + 1);
  beside_[place] = {new_call(task, object, event, false), waits_.requests(object).start()};
  machine_.make_ready(pe, task);
  machine_.make_ready(pe, object);  // as the runtime does, it lets the others run
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
