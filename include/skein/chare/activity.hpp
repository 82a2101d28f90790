// SPDX-License-Identifier: Apache-2.0
// The activities of an element, which may wait inside it: flows (coroutines, flow.hpp) and threads (entry
// methods on a stack of their own, thread.hpp).
//
// An activity waits for an *awaitable*, with
//
//     bool begin(Activity&, Listener&);   begins to wait. True: complete already, the listener is not called
//     result();                           returns the result. Called once, when it is complete
//
// The awaitable calls the listener when it is complete. Destroying the awaitable ends the wait.
#pragma once

#include <coroutine>
#include <exception>
#include <string>

#include "skein/chare/message.hpp"

namespace skein {
/// The base of all awaitables, by which all(), any() and wait_for() are found without their namespace.
struct Awaitable {};
}  // namespace skein

namespace skein::chare {

class Activity {
 public:
  Activity(Element& element, const EntryInfo& entry) : element_(element), entry_(entry) {}
  virtual ~Activity() = default;
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  Element& element() const { return element_; }
  /// Returns the entry method that the activity runs.
  const EntryInfo& entry() const { return entry_; }

  virtual bool finished() const = 0;
  /// Returns the exception that ended the activity.
  virtual std::exception_ptr failure() const = 0;
  /// Runs the activity from its start until it waits or ends.
  virtual void start() = 0;
  /// Continues, if the awaited thing is complete and the listeners alone did not continue the activity.
  virtual void proceed() = 0;
  /// Ends the activity where it waits. Returns null, or the reason why it cannot end.
  virtual const char* end_here() = 0;
  virtual bool is_thread() const = 0;

 private:
  Element& element_;
  const EntryInfo& entry_;
};

/// Called when an awaited thing is complete.
class Listener {
 public:
  /// Returns the coroutine to continue, or std::noop_coroutine(). The caller resumes it when nothing of the
  /// coroutines below it is needed any more: continuing may destroy them.
  virtual std::coroutine_handle<> complete() noexcept = 0;

 protected:
  ~Listener() = default;
};

template <class A>
concept awaitable = requires(A& awaited, Activity& activity, Listener& listener) {
  { awaited.begin(activity, listener) } -> std::same_as<bool>;
  awaited.result();
};

/// A wait for messages to the element: the leaves of all awaitables.
class Wait : public Awaitable {
 public:
  Wait() = default;
  virtual ~Wait() { stop(); }
  Wait(Wait&& other) noexcept : activity_(nullptr), listener_(nullptr) { (void)other; }
  Wait& operator=(Wait&&) = delete;

  bool begin(Activity& activity, Listener& listener);
  Activity& activity() const { return *activity_; }
  Listener& listener() const { return *listener_; }

  /// Takes the awaited messages out of those that have arrived, if all are there. Returns true if it took
  /// them.
  virtual bool take() = 0;
  /// Describes the wait: "2 of 26 calls of Cell::positions".
  virtual std::string describe() const = 0;

 protected:
  Element& element() const { return activity_->element(); }

 private:
  friend class Control;
  /// Ends the wait. `activity_`, while not null, belongs to an element's Control, which lists this wait.
  void stop();
  Activity* activity_ = nullptr;
  Listener* listener_ = nullptr;
  bool listed_ = false;
};

}  // namespace skein::chare
