// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/sync_order.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "lb/trace/kinds.hpp"

namespace skein::simulate {
namespace {

using trace::Event;
using trace::EventKind;
using trace::ObjectIndex;

constexpr std::uint32_t kNoneLater = std::numeric_limits<std::uint32_t>::max();

/// Visits all executions, each after its cause.
class CausalWalk {
 public:
  CausalWalk(const trace::Trace& trace, const CauseNumbers& causes,
             std::vector<std::vector<SyncOrder::ExecutionRun>>& runs)
      : numbers_(causes), causes_(causes.count()), runs_(runs) {
    for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
      objects_.emplace_back(Executions(trace.events(object)));
    }
    for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
      trace::Cursor events = trace.events(object);
      while (const Event* const event = events.next()) {
        if (event->kind == EventKind::contribute)
          ++causes_[numbers_.of_reduction(event->communicator, event->serial)].contributions;
        if (event->kind == EventKind::split)
          objects_[static_cast<ObjectIndex>(event->partner)].exists = false;
      }
    }
    for (ObjectIndex object = 0; object < objects_.size(); ++object)
      if (objects_[object].exists) look_on(object);
  }

  void go() {
    for (ObjectIndex next = 0;;) {
      while (!ready_.empty()) {
        const ObjectIndex object = ready_.back();
        ready_.pop_back();
        play(object);
        look_on(object);
      }
      // The rest waits for quiescence, or for events that a cut-off trace lacks.
      while (next < objects_.size() && !objects_[next].waits) ++next;
      if (next == objects_.size()) return;
      const auto waits_for_quiescence = [](const Object& object) {
        return object.waits && object.execution.is(trace::Cause::quiescence);
      };
      const auto found = std::ranges::find_if(objects_, waits_for_quiescence);
      make_ready(found == objects_.end() ? next : static_cast<ObjectIndex>(found - objects_.begin()));
      next = 0;
    }
  }

 private:
  struct Object {
    explicit Object(Executions of) : executions(std::move(of)) {}
    Executions executions;
    Execution execution;       // the next one
    std::uint64_t played = 0;  // executions
    std::uint32_t passed = 0;  // sync points, as the object counts them
    std::uint32_t more = 0;    // added to `passed`
    std::uint32_t latest = 0;  // the largest number of sync points before one of its executions
    bool exists = true;        // false: it is yet to be split off
    bool waits = false;        // its next execution waits
  };
  struct Cause {
    std::uint32_t after = 0;
    std::uint32_t contributions = 0;  // that have not come yet
    std::uint32_t makers_points = 0;  // for objects that it makes
    bool creates = false;
    bool come = false;
    std::vector<ObjectIndex> waiting = {};
  };

  std::uint32_t cause_of(const Object& object) const {
    const Event* const begin = object.execution.begin();
    return begin ? numbers_.of(*begin) : kNone;
  }

  void look_on(ObjectIndex index) {
    Object& object = objects_[index];
    object.waits = object.executions.next(object.execution);
    if (!object.waits || object.execution.is(trace::Cause::quiescence)) return;
    const std::uint32_t cause = cause_of(object);
    if (cause == kNone || causes_[cause].come)
      make_ready(index);
    else
      causes_[cause].waiting.push_back(index);
  }

  void make_ready(ObjectIndex index) {
    if (std::exchange(objects_[index].waits, false)) ready_.push_back(index);
  }

  std::uint32_t comes_after(Object& object) {
    const Event* const begin = object.execution.begin();
    if (!begin) return object.more;
    switch (static_cast<trace::Cause>(begin->what)) {
      case trace::Cause::message:
      case trace::Cause::reduction: {
        const Cause& cause = causes_[cause_of(object)];
        if (object.played == 0 && cause.creates) {
          object.passed = cause.makers_points;
          object.more = cause.after > object.passed ? cause.after - object.passed : 0;
        }
        return cause.after;
      }
      case trace::Cause::resumed:
        return object.passed + object.more;
      case trace::Cause::quiescence:
        return object.latest;
      default:
        return 0;
    }
  }

  void play(ObjectIndex index) {
    Object& object = objects_[index];
    std::uint32_t after = comes_after(object);
    for (const Event& event : object.execution.events)
      if (event.kind == EventKind::sync) after = std::max(after, object.passed++ + object.more);
    object.latest = std::max(object.latest, after);
    std::vector<SyncOrder::ExecutionRun>& runs = runs_[index];
    if (runs.empty() || runs.back().after != after) runs.push_back({object.played, after, kNoneLater});
    ++object.played;
    std::uint32_t message = object.execution.first_message;
    for (const Event& event : object.execution.events) {
      if (event.kind == EventKind::split) {
        split_off(static_cast<ObjectIndex>(event.partner), object.passed, object.more);
      } else if (event.kind == EventKind::contribute) {
        contribute(numbers_.of_reduction(event.communicator, event.serial), after);
      } else if (trace::causes_executions(event.kind)) {
        send(numbers_.of_message(index, message++), after, event.kind == EventKind::create, object.passed);
      }
    }
  }

  void split_off(ObjectIndex part, std::uint32_t passed, std::uint32_t more) {
    objects_[part].passed = passed;
    objects_[part].more = more;
    if (!std::exchange(objects_[part].exists, true)) look_on(part);
  }

  void contribute(std::uint32_t number, std::uint32_t after) {
    Cause& cause = causes_[number];
    cause.after = std::max(cause.after, after);
    if (--cause.contributions == 0) come(cause);
  }

  void send(std::uint32_t number, std::uint32_t after, bool creates, std::uint32_t makers_points) {
    if (number == kNone) return;
    Cause& cause = causes_[number];
    cause.after = after;
    cause.creates = creates;
    cause.makers_points = makers_points;
    come(cause);
  }

  void come(Cause& cause) {
    cause.come = true;
    for (const ObjectIndex object : std::exchange(cause.waiting, {})) make_ready(object);
  }

  const CauseNumbers& numbers_;
  std::vector<Cause> causes_;
  std::vector<Object> objects_;
  std::vector<ObjectIndex> ready_;
  std::vector<std::vector<SyncOrder::ExecutionRun>>& runs_;
};

}  // namespace

SyncOrder::SyncOrder(const trace::Trace& trace, const CauseNumbers& causes) : runs_(trace.object_count()) {
  CausalWalk(trace, causes, runs_).go();
  for (std::vector<ExecutionRun>& runs : runs_) {
    std::uint32_t least = kNoneLater;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
      run->least_later = least;
      least = std::min(least, run->after);
    }
  }
}

}  // namespace skein::simulate
