// SPDX-License-Identifier: Apache-2.0
// What may wait inside an element: its activities, each a flow (a coroutine, flow.hpp) or a thread (an entry
// method on a stack of its own, thread.hpp).
//
// What an activity waits for is an *awaitable*, with
//
//     bool begin(Activity&, Listener&);   starts to wait. True: it is there already, and nobody is told
//     result();                           what has come. Once, when it is there
//
// When it comes, the listener is told. Destroying the awaitable ends the waiting.
#pragma once

#include <coroutine>
#include <exception>
#include <string>

#include "skein/chare/message.hpp"

namespace skein {
/// Base of what can be awaited, so that all(), any() and wait_for() of it are found without their namespace.
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
  /// The entry method that it runs.
  const EntryInfo& entry() const { return entry_; }

  virtual bool finished() const = 0;
  /// The exception that ended it.
  virtual std::exception_ptr failure() const = 0;
  /// Runs it from its start until it waits or ends.
  virtual void start() = 0;
  /// Goes on, if what it waits for is there and listeners alone did not do it.
  virtual void proceed() = 0;
  /// Ends it where it waits. Null, or why that cannot be.
  virtual const char* end_here() = 0;
  virtual bool is_thread() const = 0;

 private:
  Element& element_;
  const EntryInfo& entry_;
};

/// Who is told that what it waits for is there.
class Listener {
 public:
  /// The coroutine to go on with, or std::noop_coroutine(). The caller resumes it when nothing of the
  /// coroutines that it comes from is needed any more: going on may destroy them.
  virtual std::coroutine_handle<> complete() noexcept = 0;

 protected:
  ~Listener() = default;
};

template <class A>
concept awaitable = requires(A& awaited, Activity& activity, Listener& listener) {
  { awaited.begin(activity, listener) } -> std::same_as<bool>;
  awaited.result();
};

/// A waiting for what comes to the element in messages: the leaves that all others are made of.
class Wait : public Awaitable {
 public:
  Wait() = default;
  virtual ~Wait() { stop(); }
  Wait(Wait&& other) noexcept : activity_(nullptr), listener_(nullptr) { (void)other; }
  Wait& operator=(Wait&&) = delete;

  bool begin(Activity& activity, Listener& listener);
  Activity& activity() const { return *activity_; }
  Listener& listener() const { return *listener_; }

  /// Takes what is waited for out of what has come to the element, if all of it is there.
  virtual bool take() = 0;
  /// "2 of 26 calls of Cell::positions"
  virtual std::string describe() const = 0;

 protected:
  Element& element() const { return activity_->element(); }

 private:
  friend class Control;
  /// An activity of an element's Control, which lists this wait while it is not null.
  void stop();
  Activity* activity_ = nullptr;
  Listener* listener_ = nullptr;
  bool listed_ = false;
};

}  // namespace skein::chare
