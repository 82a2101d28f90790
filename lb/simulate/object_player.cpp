// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/object_player.hpp"

#include <algorithm>

namespace skein::simulate {
namespace {

using trace::Event;
using trace::EventKind;

constexpr PeIndex arity = 4;  // of the tree over PEs, as in runtime/net/pe_tree.hpp

PeIndex parent_of(PeIndex pe) { return (pe - 1) / arity; }

}  // namespace

ObjectPlayer::ObjectPlayer(JobState& job, Network& network)
    : job_(job), machine_(job.platform, network, *this, job.trace.object_count()) {
  objects_.reserve(job.trace.object_count());
  for (ObjectIndex object = 0; object < job.trace.object_count(); ++object)
    objects_.emplace_back(job.trace.events(object));
  read_ahead();
}

// Who executes because of what, and how many contribute.
void ObjectPlayer::read_ahead() {
  const auto place = [&](std::unordered_map<std::uint64_t, std::uint32_t>& in, std::uint64_t of) -> Cause& {
    const auto [found, added] = in.emplace(of, static_cast<std::uint32_t>(causes_.size()));
    if (added) causes_.emplace_back();
    return causes_[found->second];
  };
  for (ObjectIndex object = 0; object < objects_.size(); ++object) {
    trace::Cursor events = job_.trace.events(object);
    while (const Event* const event = events.next()) {
      objects_[object].points_to_come += event->kind == EventKind::sync;
      if (event->kind == EventKind::contribute)
        ++place(reductions_, key(event->communicator, event->serial)).contributions;
      if (event->kind != EventKind::execute) continue;
      const auto why = static_cast<trace::Cause>(event->what);
      Cause* cause = nullptr;
      if (why == trace::Cause::message)
        cause = &place(messages_, key(static_cast<std::uint32_t>(event->partner), event->serial));
      else if (why == trace::Cause::reduction)
        cause = &place(reductions_, key(event->communicator, event->serial));
      if (!cause) continue;
      ++cause->executions;
      if (cause->first == none) cause->first = object;
    }
  }
}

ObjectPlayer::Cause* ObjectPlayer::cause_of(const Event& execute, std::uint32_t& index) {
  const bool message = static_cast<trace::Cause>(execute.what) == trace::Cause::message;
  const auto& in = message ? messages_ : reductions_;
  const auto found = in.find(
      key(message ? static_cast<std::uint32_t>(execute.partner) : execute.communicator, execute.serial));
  if (found == in.end()) return nullptr;
  index = found->second;
  return &causes_[index];
}

void ObjectPlayer::make_ready(ObjectIndex object) {
  objects_[object].stage = Stage::ready;
  machine_.make_ready(job_.pe_of[object], object);
}

void ObjectPlayer::begin() {
  for (ObjectIndex object = 0; object < objects_.size(); ++object) look_on(job_.pe_of[object], object);
}

void ObjectPlayer::look_on(PeIndex pe, ObjectIndex object) {
  Object& self = objects_[object];
  self.event = self.cursor.next();
  if (!self.event) {
    self.stage = Stage::ended;
    ++ended_;
    job_.end(machine_, pe, object);
    return;
  }
  if (self.event->kind != EventKind::execute) {
    make_ready(object);
    return;
  }
  switch (static_cast<trace::Cause>(self.event->what)) {
    case trace::Cause::message:
    case trace::Cause::reduction: {
      std::uint32_t index = 0;
      Cause& cause = *cause_of(*self.event, index);
      if (cause.anywhere || (!cause.come.empty() && cause.come[pe])) {
        make_ready(object);
      } else {
        self.stage = Stage::waits;
        cause.waiting.push_back(object);
      }
      return;
    }
    case trace::Cause::quiescence:
      self.stage = Stage::quiet;
      return;
    default:  // its step is over when it comes here; the job has begun
      make_ready(object);
  }
}

// Who has not executed anything yet may be still to be made.
std::uint64_t ObjectPlayer::behind() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(objects_, [](const Object& self) {
    return self.stage == Stage::waits && self.events > 0 && self.points_to_come > 0;
  }));
}

void ObjectPlayer::resume() {
  stopped_ = 0;
  for (ObjectIndex object = 0; object < objects_.size(); ++object)
    if (objects_[object].stage == Stage::stopped) look_on(job_.pe_of[object], object);
}

bool ObjectPlayer::go_on_when_quiet() {
  bool any = false;
  for (ObjectIndex object = 0; object < objects_.size(); ++object) {
    if (objects_[object].stage != Stage::quiet) continue;
    any = true;
    make_ready(object);
  }
  return any;
}

bool ObjectPlayer::run(PeIndex pe, TaskId task) {
  Object& self = objects_[task];
  self.stage = Stage::executes;
  for (; self.event; self.event = self.cursor.next()) {
    const Event& event = *self.event;
    job_.compute(machine_, pe, task, event.burst_ns, self.events++);
    switch (event.kind) {
      case EventKind::execute: {
        std::uint32_t index = 0;
        Cause* const cause = cause_of(event, index);
        if (cause && cause->creates && self.events == 1) self.points = cause->points;
        if (cause && --cause->executions == 0) cause->come = {};
        break;
      }
      case EventKind::call:
      case EventKind::broadcast:
      case EventKind::create:
        emit(pe, task, event);
        break;
      case EventKind::contribute:
        contribute(pe, event);
        break;
      case EventKind::file:
        job_.occupy(machine_, pe, task, event.call_ns);
        break;
      case EventKind::sync:
        --self.points_to_come;
        if (job_.comes_to_point(machine_, pe, task, ++self.points, event.bytes) == Stops::At::stops) {
          self.stage = Stage::stopped;
          ++stopped_;
          return true;
        }
        look_on(pe, task);
        return true;
      case EventKind::finish:
        look_on(pe, task);
        return true;
      case EventKind::split:
        job_.shares[static_cast<ObjectIndex>(event.partner)].bytes = event.bytes;
        objects_[static_cast<ObjectIndex>(event.partner)].points = self.points;
        look_on(pe, task);
        return true;
      default:
        break;
    }
  }
  self.stage = Stage::ended;
  ++ended_;
  job_.end(machine_, pe, task);
  return true;
}

// ---- messages

void ObjectPlayer::emit(PeIndex pe, ObjectIndex object, const Event& event) {
  const auto found = messages_.find(key(object, objects_[object].messages++));
  ++counts_.messages;
  counts_.bytes += event.bytes;
  if (found == messages_.end()) return;  // nobody executes because of it
  Cause& cause = causes_[found->second];
  cause.bytes = event.bytes;
  if (event.kind == EventKind::broadcast) {
    cause.come.assign(machine_.pes(), false);
    if (pe == 0)
      arrive(found->second, pe, Way::down);
    else
      send(found->second, pe, 0, Way::down);
    return;
  }
  const ObjectIndex to = event.partner >= 0 ? static_cast<ObjectIndex>(event.partner) : cause.first;
  cause.creates = event.kind == EventKind::create;
  cause.points = objects_[object].points;
  if (traffic_) traffic_->note(object, to, event.bytes);
  if (job_.pe_of[to] == pe)
    arrive(found->second, pe, Way::direct);
  else
    send(found->second, pe, job_.pe_of[to], Way::direct);
}

void ObjectPlayer::contribute(PeIndex pe, const Event& event) {
  const std::uint32_t index = reductions_.at(key(event.communicator, event.serial));
  Cause& cause = causes_[index];
  cause.bytes = std::max(cause.bytes, event.bytes);
  if (--cause.contributions > 0) return;
  if (pe == 0)
    arrive(index, pe, Way::direct);
  else
    send(index, pe, parent_of(pe), Way::up);
}

void ObjectPlayer::send(std::uint32_t cause, PeIndex from, PeIndex to, Way way) {
  const MessageIndex index = machine_.messages().add();
  Message& message = machine_.messages()[index];
  message.kind = MessageKind::other;
  message.bytes = causes_[cause].bytes;
  message.sender = cause;
  message.receiver = static_cast<ObjectIndex>(way);
  ++counts_.remote_messages;
  counts_.remote_bytes += message.bytes;
  machine_.send(index, from, to, message.bytes);
}

void ObjectPlayer::take(PeIndex pe, MessageIndex index) {
  const Message message = machine_.messages()[index];
  machine_.messages().remove(index);
  const auto way = static_cast<Way>(message.receiver);
  if (way == Way::up && pe != 0)
    send(message.sender, pe, parent_of(pe), way);
  else
    arrive(message.sender, pe, way == Way::up ? Way::direct : way);
}

void ObjectPlayer::arrive(std::uint32_t index, PeIndex pe, Way way) {
  Cause& cause = causes_[index];
  if (way == Way::down) {
    if (!cause.come.empty()) cause.come[pe] = true;
    for (PeIndex child = pe * arity + 1; child <= pe * arity + arity && child < machine_.pes(); ++child)
      send(index, pe, child, way);
  } else {
    cause.anywhere = true;
  }
  std::vector<ObjectIndex> elsewhere;
  for (const ObjectIndex object : cause.waiting) {
    if (job_.pe_of[object] == pe)
      make_ready(object);
    else
      elsewhere.push_back(object);
  }
  cause.waiting = elsewhere;
  if (way == Way::down) return;
  std::vector<PeIndex> pes;
  for (const ObjectIndex object : elsewhere) pes.push_back(job_.pe_of[object]);
  std::sort(pes.begin(), pes.end());
  pes.erase(std::unique(pes.begin(), pes.end()), pes.end());
  for (const PeIndex to : pes) send(index, pe, to, Way::direct);
}

void ObjectPlayer::report_waiting() const {
  std::string waiting;
  std::uint64_t count = 0;
  for (ObjectIndex object = 0; object < objects_.size(); ++object) {
    const Object& self = objects_[object];
    if (self.stage != Stage::waits) continue;
    if (++count > 5) continue;
    const auto& labels = job_.trace.header().labels;
    waiting += "\n  object " + std::to_string(object) +
               (object < labels.size() ? " (" + labels[object] + ")" : "") + ": an execution because of " +
               (static_cast<trace::Cause>(self.event->what) == trace::Cause::message
                    ? "message " + std::to_string(self.event->serial) + " of object " +
                          std::to_string(self.event->partner)
                    : "reduction " + std::to_string(self.event->serial) + " of array " +
                          std::to_string(self.event->communicator));
  }
  throw SimulationError("the replay waits for ever: " + std::to_string(count) + " of " +
                        std::to_string(objects_.size()) + " objects wait, and nothing is under way" +
                        waiting +
                        "\nThe trace was changed, was cut short, or lacks events (skein trace check)");
}

}  // namespace skein::simulate
