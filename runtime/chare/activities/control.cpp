// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/control.hpp"

#include <algorithm>

#include "runtime/chare/activities/activities_state.hpp"
#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/messages/waiting.hpp"
#include "skein/barrier.hpp"
#include "skein/chare/entry.hpp"
#include "skein/future.hpp"

namespace skein::chare {

PerRuntime<Activities> activities;

namespace {

/// The call that ends a barrier for an element.
const EntryInfo barrier_end(
    plain_calls, arguments_info<std::tuple<>>,
    [](Element& element, void*) { control_of(element).keep_barrier(); }, "the end of a barrier");

std::size_t count_unfinished() { return activities->unfinished; }

void describe_unfinished(std::vector<std::string>& lines) {
  for (const auto& array : all_arrays()) {
    if (!array) continue;
    for (const Element* const element : array->elements())
      if (const Control* const control = element->rare().control) control->describe(lines);
  }
}

const WaitSource activity_waits(Way::activity, count_unfinished, describe_unfinished);

}  // namespace

// ---- waiting

bool Wait::begin(Activity& activity, Listener& listener) {
  activity_ = &activity;
  listener_ = &listener;
  if (take()) return true;
  control_of(element()).waits_.push_back(this);
  listed_ = true;
  return false;
}

void Wait::stop() {
  if (!listed_) return;
  listed_ = false;
  std::erase(control_of(element()).waits_, this);
}

// ---- activities

Control::Control(Element& element) : element_(element) {}

Control::~Control() {
  activities->unfinished -= activities_.size();
  activities_.clear();
  for (const Calls& of_method : calls_) {
    activities->unfinished -= of_method.calls.size();
    for (Message* const call : of_method.calls) call->entry->drop(*call);
  }
  if (after_sync_) after_sync_->entry->drop(*after_sync_);
}

/// Runs an activity. Other activities of the element wait until it waits or ends: a flow that completes a
/// part of any() would otherwise destroy others below itself on the processor's stack.
template <class Step>
void Control::run(Activity& activity, Step step) {
  const Running before = std::exchange(calls_here.running, {&element_, &activity.entry()});
  ++running_;
  step();
  --running_;
  bury_finished();
  calls_here.running = before;
}

void Control::start(std::unique_ptr<Activity> activity) {
  Activity& started = *activity;
  activities_.push_back(std::move(activity));
  ++activities->unfinished;
  run(started, [&] { started.start(); });
  offer();
}

void Control::offer() {
  if (running_ > 0) return;  // the running activity does it when it waits or ends
  for (std::size_t i = 0; i < waits_.size();) {
    Wait& wait = *waits_[i];
    if (!wait.take()) {
      ++i;
      continue;
    }
    wait.stop();
    Activity& activity = wait.activity();
    run(activity, [&] {
      wait.listener().complete().resume();
      activity.proceed();
    });
    i = 0;  // the list of waits may have changed
  }
}

void Control::bury_finished() {
  if (running_ > 0) return;
  for (std::size_t i = 0; i < activities_.size();) {
    if (!activities_[i]->finished()) {
      ++i;
      continue;
    }
    const std::unique_ptr<Activity> finished = std::move(activities_[i]);
    activities_.erase(activities_.begin() + static_cast<std::ptrdiff_t>(i));
    --activities->unfinished;
    if (finished->failure()) {
      calls_here.running = {&element_, &finished->entry()};
      std::rethrow_exception(finished->failure());
    }
  }
}

bool Control::any_thread() const {
  return std::ranges::any_of(activities_, [](const auto& activity) { return activity->is_thread(); });
}

void Control::end_at_sync(Activity& activity) {
  for (const Wait* const wait : waits_)
    if (&wait->activity() == &activity)
      fail("sync() would end other parts of the flow: it waits for " + wait->describe() + " too");
  if (const char* const because = activity.end_here()) fail(because);
}

// ---- what arrives

void Control::keep(Message& call) {
  call.to = &element_;
  calls_of(*call.entry).push_back(&call);
  ++activities->unfinished;
  offer();
}

void Control::keep(const FutureName& future, std::span<const std::byte> value) {
  values_[future].emplace(value.begin(), value.end());
  offer();
}

void Control::keep_barrier() {
  ++barriers_;
  offer();
}

std::vector<Message*>& Control::calls_of(const EntryInfo& entry) {
  for (Calls& of_method : calls_)
    if (of_method.entry == &entry) return of_method.calls;
  calls_.push_back({&entry, {}});
  return calls_.back().calls;
}

std::vector<std::byte>* Control::value_of(const FutureName& future) {
  const auto [at, first] = values_.try_emplace(future);
  if (first) request_value(element_, future);
  return at->second ? &*at->second : nullptr;
}

void Control::note_taken(std::size_t calls) { activities->unfinished -= calls; }

bool Control::take_barrier() {
  if (barriers_ == 0) return false;
  --barriers_;
  return true;
}

void Control::set_after_sync(Message& call) {
  if (after_sync_) fail("a sync point is reached while another is");
  after_sync_ = &call;
}

// ---- descriptions of what waits

std::string Control::describe(const Activity& activity) const {
  std::string text;
  for (const Wait* const wait : waits_)
    if (&wait->activity() == &activity) text += (text.empty() ? "" : ", and for ") + wait->describe();
  return std::string(activity.entry().name) + ", which waits for " + text;
}

void Control::describe(std::vector<std::string>& lines) const {
  for (const auto& activity : activities_) lines.push_back(name_of(element_) + " in " + describe(*activity));
  for (const Calls& of_method : calls_)
    if (!of_method.calls.empty())
      lines.push_back(name_of(element_) + " has not taken " + std::to_string(of_method.calls.size()) +
                      " calls of " + of_method.entry->name);
}

// ---- elements

Control& control_of(Element& element) {
  Control*& control = element.rare_made().control;
  if (!control) control = new Control(element);
  return *control;
}
void end_control(Element& element) {
  if (!element.own_rare) return;
  delete element.own_rare->control;  // waits find it by its element
  element.own_rare->control = nullptr;
}
std::vector<std::byte> packed_control(Element& element, pup::Blocks& blocks, bool stays) {
  Control* const control = element.rare().control;
  return control ? control->pack(blocks, stays) : std::vector<std::byte>{};
}
Message* call_after_sync(Element& element) {
  Control* const control = element.rare().control;
  return control ? control->take_after_sync() : nullptr;
}
bool has_activity(const Element& element) {
  const Control* const control = element.rare().control;
  return control && control->any_activity();
}
bool has_thread(const Element& element) {
  const Control* const control = element.rare().control;
  return control && control->any_thread();
}

Destination end_of_barrier(const Element& element) {
  Destination to;
  to.kind = Destination::Kind::all;
  to.array = element.array->number();
  to.target = barrier_end.number;
  return to;
}

}  // namespace skein::chare
