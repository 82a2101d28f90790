// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/object_player.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace skein::simulate {
namespace {

using trace::Event;
using trace::EventKind;

constexpr PeIndex kArity = 4;  // of the tree over PEs, as in runtime/net/pe_tree.hpp

PeIndex parent_of(PeIndex pe) { return (pe - 1) / kArity; }

}  // namespace

ObjectPlayer::ObjectPlayer(JobState& job, Network& network)
    : job_(job),
      machine_(job.platform, job.speed, network, *this, job.trace.object_count()),
      numbers_(job.trace),
      causes_(numbers_.count()),
      lazy_(job.stops.is_lazy()),
      made_beside_(lazy_ ? std::vector<bool>(job.trace.object_count()) : made_beside_makers(job.trace)) {
  objects_.reserve(job.trace.object_count());
  for (ObjectIndex object = 0; object < job.trace.object_count(); ++object)
    objects_.emplace_back(job.trace.events(object));
  read_ahead();
  if (job.stops.next_step() == Stops::no_step && !lazy_) return;
  order_.emplace(job.trace, numbers_);
  for (ObjectIndex object = 0; object < objects_.size(); ++object)
    objects_[object].stream.order_by(order_->of(object));
  if (!lazy_) return;
  refuse_what_comes_later();
  job.stops.release_by([this](PeIndex pe, ObjectIndex object) { queue_look(pe, object); });
}

/// Their places follow from positions or indices, which traces do not have.
void ObjectPlayer::refuse_what_comes_later() const {
  const auto refuse = [&](ObjectIndex object, const char* how) {
    const auto& labels = job_.trace.header().labels;
    const std::string who = object < labels.size() ? labels[object] : "object " + std::to_string(object);
    throw SimulationError("mode '" + lb::to_string(job_.policy.mode) + "': " + who + " " + how +
                          ", and where a late decision puts what has come since the asking follows from "
                          "positions and indices, which traces do not have: take mode inline or decoupled");
  };
  for (ObjectIndex object = 0; object < objects_.size(); ++object) {
    if (objects_[object].stage == Stage::unborn) refuse(object, "is split off another element");
    std::span<const SyncOrder::ExecutionRun> order = order_->of(object);
    Executions executions(job_.trace.events(object));
    Execution execution;
    for (std::uint64_t number = 0; executions.next(execution); ++number) {
      if (order.size() > 1 && order[1].first == number) order = order.subspan(1);
      if (order.front().after > 0 && std::ranges::any_of(execution.events, [](const Event& event) {
            return event.kind == EventKind::create;
          }))
        refuse(object, "makes elements behind a sync point");
    }
  }
}

/// Reads the streams: counts the executions and contributions of causes, and marks objects to be split off.
void ObjectPlayer::read_ahead() {
  for (ObjectIndex object = 0; object < objects_.size(); ++object) {
    trace::Cursor events = job_.trace.events(object);
    while (const Event* const event = events.next()) {
      objects_[object].points_to_come += event->kind == EventKind::sync;
      if (event->kind == EventKind::split)
        objects_[static_cast<ObjectIndex>(event->partner)].stage = Stage::unborn;
      if (event->kind == EventKind::contribute)
        ++causes_[numbers_.of_reduction(event->communicator, event->serial)].contributions;
      if (event->kind != EventKind::execute) continue;
      const std::uint32_t number = numbers_.of(*event);
      if (number == kNone) continue;
      ++causes_[number].executions;
      if (causes_[number].first == kNone) causes_[number].first = object;
    }
  }
}

void ObjectPlayer::make_ready(ObjectIndex object) {
  objects_[object].stage = Stage::ready;
  machine_.make_ready(job_.pe_of[object], object);
}

void ObjectPlayer::begin() {
  for (ObjectIndex object = 0; object < objects_.size(); ++object)
    if (objects_[object].stage != Stage::unborn) look_on(job_.pe_of[object], object);
}

/// In lazy mode each sync point may be one of an LB step.
std::uint64_t ObjectPlayer::bound(const Object& self) const {
  if (!holds_) return Stops::no_step;
  if (!lazy_) return job_.stops.next_step();
  if (self.stands || self.stopped) return self.points;
  return self.points_to_come > 0 ? self.points + 1 : Stops::no_step;
}

void ObjectPlayer::look_on(PeIndex pe, ObjectIndex object) {
  Object& self = objects_[object];
  const bool at_point = self.stopped || self.stands;
  self.has_next = self.stream.next(bound(self), at_point, self.execution);
  if (!self.has_next) {
    self.stage = at_point || !self.stream.at_end() ? Stage::held : Stage::ended;
    if (self.stage == Stage::held) return;
    ++ended_;
    job_.end(machine_, pe, object);
    return;
  }
  await_cause(pe, object);
}

void ObjectPlayer::await_cause(PeIndex pe, ObjectIndex object) {
  Object& self = objects_[object];
  if (self.execution.is(trace::Cause::quiescence)) {
    self.stage = Stage::quiet;
    return;
  }
  const std::uint32_t number = cause_of(self.execution);
  if (number == kNone) return make_ready(object);  // the cause is the end of a step, or the job's begin
  Cause& cause = causes_[number];
  if (cause.anywhere || (!cause.come.empty() && cause.come[pe])) return make_ready(object);
  self.stage = Stage::waits;
  cause.waiting.push_back(object);
}

// ---- in lazy mode

void ObjectPlayer::queue_look(PeIndex pe, ObjectIndex object) {
  Object& self = objects_[object];
  self.looks = true;
  if (self.queued || self.stage == Stage::ready || self.stage == Stage::executes) return;  // looks after it
  if (self.stage == Stage::waits) std::erase(causes_[cause_of(self.execution)].waiting, object);
  self.queued = true;
  machine_.make_ready(pe, object);
}

void ObjectPlayer::look(PeIndex pe, ObjectIndex object) {
  Object& self = objects_[object];
  self.looks = self.queued = false;
  switch (job_.stops.comes_to(job_, machine_, pe, object, self.points)) {
    case Stops::At::meets:
      ++stopped_;
      self.stopped = true;
      self.stands = false;
      break;
    case Stops::At::passes:
      self.stands = false;
      self.stream.resume();
      break;
    default:
      break;
  }
  if (self.has_next) return await_cause(pe, object);
  look_on(pe, object);
}

/// Leaves out objects that have not executed anything, which may not have been created yet.
std::uint64_t ObjectPlayer::behind() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(objects_, [](const Object& self) {
    return (self.stage == Stage::waits || self.stage == Stage::held) && !self.stopped && self.has_executed &&
           self.points_to_come > 0;
  }));
}

void ObjectPlayer::resume() {
  stopped_ = 0;
  holds_ = true;
  for (ObjectIndex object = 0; object < objects_.size(); ++object) {
    Object& self = objects_[object];
    const bool was_stopped = std::exchange(self.stopped, false);
    if (lazy_) {  // the object still stands where it stopped
      self.stands |= was_stopped;
      if (was_stopped) queue_look(job_.pe_of[object], object);
      continue;
    }
    if (was_stopped) self.stream.resume();
    if (self.stage == Stage::held) look_on(job_.pe_of[object], object);
  }
}

/// Lets objects go on that are held though none has stopped, or were never split off, as in traces that were
/// cut short.
bool ObjectPlayer::go_on_when_quiet() {
  bool any = false;
  for (ObjectIndex object = 0; object < objects_.size(); ++object) {
    if (objects_[object].stage != Stage::quiet) continue;
    any = true;
    make_ready(object);
  }
  if (any || stopped_ > 0) return any;
  if (lazy_ && std::ranges::any_of(objects_, &Object::stands)) {
    job_.stops.pass_unanswered(machine_);
    return true;
  }
  holds_ = false;
  for (ObjectIndex object = 0; object < objects_.size(); ++object) {
    const Stage stage = objects_[object].stage;
    if (stage != Stage::held && stage != Stage::unborn) continue;
    any = true;
    look_on(job_.pe_of[object], object);
  }
  return any;
}

void ObjectPlayer::begin_execution(ObjectIndex object) {
  Object& self = objects_[object];
  const std::uint32_t number = cause_of(self.execution);
  if (number != kNone) {
    Cause& cause = causes_[number];
    if (cause.creates && !self.has_executed) self.points = cause.points;
    if (job_.whole_of(object) == object && --cause.executions == 0 && parts_.empty()) cause.come = {};
  }
  self.has_executed = true;
}

void ObjectPlayer::come_to_point(PeIndex pe, ObjectIndex object, const Event& sync) {
  Object& self = objects_[object];
  --self.points_to_come;
  const auto bytes = static_cast<std::uint64_t>(self.share * static_cast<double>(sync.bytes));
  JobState::Told& told = job_.told[object];
  if (sync.serial > 0) told.load = self.share * 1e-9 * static_cast<double>(sync.serial - 1);
  told.level = sync.tag - 1;
  told.divisible = sync.what != 0 && !lazy_;
  if (lazy_) {
    job_.shares[object].bytes = bytes;
    self.stands = self.looks = !job_.stops.passes_at_once(pe, ++self.points);
    return;
  }
  if (job_.comes_to_point(machine_, pe, object, ++self.points, bytes) != Stops::At::stops) return;
  stopped_ += !self.stopped;
  self.stopped = true;
}

void ObjectPlayer::split_off(ObjectIndex part, std::uint64_t bytes, std::uint64_t points) {
  job_.shares[part].bytes = bytes;
  objects_[part].points = points;
  if (objects_[part].stage == Stage::unborn) look_on(job_.pe_of[part], part);
}

bool ObjectPlayer::compute(PeIndex pe, ObjectIndex object, const Event& event) {
  Object& self = objects_[object];
  const std::uint64_t ns =
      self.cuts.empty() ? event.burst_ns
                        : static_cast<std::uint64_t>(self.factor * static_cast<double>(event.burst_ns));
  const bool over = self.computes ? job_.go_on_computing(machine_, pe, object, ns, self.event())
                                  : job_.compute(machine_, pe, object, ns, self.event());
  self.computes = !over;
  return over;
}

bool ObjectPlayer::run(PeIndex pe, TaskId task) {
  if (task == objects_.size()) {
    job_.stops.wake(machine_);
    return true;
  }
  Object& self = objects_[task];
  if (self.queued) {
    look(pe, task);
    return true;
  }
  if (self.stage != Stage::executes) {
    self.has_next = false;
    self.stage = Stage::executes;
    self.played = self.sent = 0;
    self.sent_bytes = 0;
  }
  for (; self.played < self.execution.events.size(); ++self.played) {
    const Event& event = self.execution.events[self.played];
    if (!compute(pe, task, event)) return false;
    switch (event.kind) {
      case EventKind::execute:
        begin_execution(task);
        break;
      case EventKind::call:
      case EventKind::broadcast:
      case EventKind::create:
        emit(pe, task, self.execution.first_message + self.sent++, event);
        break;
      case EventKind::contribute:
        contribute(pe, task, event);
        break;
      case EventKind::file:
        job_.occupy(machine_, pe, task,
                    static_cast<std::uint64_t>(self.share * static_cast<double>(event.call_ns)),
                    self.event());
        break;
      case EventKind::sync:
        come_to_point(pe, task, event);
        break;
      case EventKind::split:
        if (job_.whole_of(task) == task)
          split_off(static_cast<ObjectIndex>(event.partner), event.bytes, self.points);
        break;
      default:
        break;
    }
  }
  if (!self.cuts.empty()) send_ghosts(pe, task);
  if (self.looks) {
    self.stage = Stage::held;
    queue_look(pe, task);
  } else {
    look_on(pe, task);
  }
  return true;
}

// ---- messages

void ObjectPlayer::emit(PeIndex pe, ObjectIndex object, std::uint32_t message, const Event& event) {
  Object& self = objects_[object];
  const std::uint32_t number = numbers_.of_message(job_.whole_of(object), message);
  if (event.kind == EventKind::call)
    self.sent_bytes += event.bytes;
  else if (number != kNone && !is_last_part(object, number))
    return;
  ++counts_.messages;
  counts_.bytes += event.kind == EventKind::call
                       ? static_cast<std::uint64_t>(self.share * static_cast<double>(event.bytes))
                       : event.bytes;
  if (number == kNone) return;  // no execution has it as cause
  Cause& cause = causes_[number];
  cause.bytes = event.bytes;
  if (event.kind == EventKind::broadcast) {
    cause.come.assign(machine_.pes(), false);
    if (pe == 0)
      arrive(number, pe, TreeRoute::down);
    else
      send(number, pe, 0, TreeRoute::down, event.bytes);
    return;
  }
  const ObjectIndex to = event.partner >= 0 ? static_cast<ObjectIndex>(event.partner) : cause.first;
  cause.creates = event.kind == EventKind::create;
  cause.points = self.points;
  if (cause.creates && made_beside_[to]) job_.pe_of[to] = pe;
  if (event.kind == EventKind::call && !parts_.empty() && (!self.cuts.empty() || parts_.contains(to)))
    return send_shares(pe, object, number, to);
  if (traffic_) traffic_->note(object, to, event.bytes);
  if (job_.pe_of[to] == pe)
    arrive(number, pe, TreeRoute::direct);
  else
    send(number, pe, job_.pe_of[to], TreeRoute::direct, event.bytes);
}

void ObjectPlayer::contribute(PeIndex pe, ObjectIndex object, const Event& event) {
  const std::uint32_t index = numbers_.of_reduction(event.communicator, event.serial);
  if (!is_last_part(object, index)) return;
  Cause& cause = causes_[index];
  cause.bytes = std::max(cause.bytes, event.bytes);
  if (--cause.contributions > 0) return;
  if (pe == 0)
    arrive(index, pe, TreeRoute::direct);
  else
    send(index, pe, parent_of(pe), TreeRoute::up, cause.bytes);
}

void ObjectPlayer::send(std::uint32_t cause, PeIndex from, PeIndex to, TreeRoute way, std::uint64_t bytes) {
  const MessageIndex index = machine_.messages().add();
  Message& message = machine_.messages()[index];
  message.kind = MessageKind::other;
  message.bytes = bytes;
  message.sender = cause;
  message.receiver = static_cast<ObjectIndex>(way);
  ++counts_.remote_messages;
  counts_.remote_bytes += message.bytes;
  machine_.send(index, from, to, message.bytes);
}

void ObjectPlayer::take(PeIndex pe, MessageIndex index) {
  const Message message = machine_.messages()[index];
  if (message.kind == MessageKind::lazy) return job_.stops.take(machine_, pe, index);
  machine_.messages().remove(index);
  if (message.sender == kNone) return;  // of ghost zones, for which no execution waits
  const auto way = static_cast<TreeRoute>(message.receiver);
  if (way == TreeRoute::up && pe != 0)
    send(message.sender, pe, parent_of(pe), way, message.bytes);
  else
    arrive(message.sender, pe, way == TreeRoute::up ? TreeRoute::direct : way);
}

void ObjectPlayer::arrive(std::uint32_t index, PeIndex pe, TreeRoute way) {
  Cause& cause = causes_[index];
  if (way == TreeRoute::down) {
    if (!cause.come.empty()) cause.come[pe] = true;
    for (PeIndex child = pe * kArity + 1; child <= pe * kArity + kArity && child < machine_.pes(); ++child)
      send(index, pe, child, way, cause.bytes);
  } else if (take_share(cause, pe)) {
    cause.anywhere = true;
  } else {
    return;
  }
  wake(cause, pe);
  if (way == TreeRoute::down) return;
  std::vector<PeIndex> pes;
  for (const ObjectIndex object : cause.waiting) pes.push_back(job_.pe_of[object]);
  std::sort(pes.begin(), pes.end());
  pes.erase(std::unique(pes.begin(), pes.end()), pes.end());
  for (const PeIndex to : pes) send(index, pe, to, TreeRoute::direct, cause.bytes);
}

void ObjectPlayer::wake(Cause& cause, PeIndex pe) {
  std::vector<ObjectIndex> elsewhere;
  for (const ObjectIndex object : cause.waiting) {
    if (job_.pe_of[object] == pe)
      make_ready(object);
    else
      elsewhere.push_back(object);
  }
  cause.waiting = std::move(elsewhere);
}

void ObjectPlayer::report_waiting() const {
  std::string waiting;
  std::uint64_t count = 0;
  for (ObjectIndex object = 0; object < objects_.size(); ++object) {
    const Object& self = objects_[object];
    if (self.stage != Stage::waits) continue;
    if (++count > 5) continue;
    const Event& why = *self.execution.begin();
    const auto& labels = job_.trace.header().labels;
    waiting +=
        "\n  object " + std::to_string(object) + (object < labels.size() ? " (" + labels[object] + ")" : "") +
        ": an execution because of " +
        (static_cast<trace::Cause>(why.what) == trace::Cause::message
             ? "message " + std::to_string(why.serial) + " of object " + std::to_string(why.partner)
             : "reduction " + std::to_string(why.serial) + " of array " + std::to_string(why.communicator));
  }
  throw SimulationError("the replay waits for ever: " + std::to_string(count) + " of " +
                        std::to_string(objects_.size()) + " objects wait, and nothing is under way" +
                        waiting +
                        "\nThe trace was changed, was cut short, or lacks events (skein trace check)");
}

}  // namespace skein::simulate
