// SPDX-License-Identifier: Apache-2.0
// Flows: entry methods that wait in the middle, written as coroutines.
//
//     skein::Flow run(int steps) {
//       for (int step = 0; step < steps; ++step) {
//         ...
//         for (auto& [from, xyz] : co_await when<&Cell::positions>(26)) ...
//       }
//     }
//
// A flow may await: when() (when.hpp), futures (future.hpp), all() and any() (all.hpp), barrier() and sync()
// of its element (chare.hpp), and other flows, which may give a value: skein::FlowOf<int>.
#pragma once

#include <optional>
#include <utility>

#include "skein/chare/control.hpp"

namespace skein {

template <class T>
class FlowOf;
using Flow = FlowOf<void>;

namespace chare {

template <class T>
inline constexpr bool is_flow = false;
template <class T>
inline constexpr bool is_flow<FlowOf<T>> = true;

/// An awaitable, or an object that makes one, as a future does.
template <class A>
concept can_await = awaitable<std::remove_cvref_t<A>> || requires(A& what) {
  { what.as_awaitable() } -> awaitable;
};
template <can_await A>
decltype(auto) as_awaitable(A&& what) {
  if constexpr (awaitable<std::remove_cvref_t<A>>) {
    static_assert(!std::is_lvalue_reference_v<A>, "await it where it is made, or std::move() it");
    return std::forward<A>(what);
  } else {
    return what.as_awaitable();
  }
}
/// True for awaitables that end the activity, as sync points do (sync.hpp).
template <class A>
inline constexpr bool ends_activity = false;
template <class A>
using AwaitableOf = std::remove_cvref_t<decltype(as_awaitable(std::declval<A>()))>;

/// The awaiter of a `co_await` expression.
template <awaitable A>
class Awaiter final : public Listener {
 public:
  Awaiter(Activity& activity, A&& awaited) : activity_(activity), awaited_(std::move(awaited)) {}
  Awaiter(const Awaiter&) = delete;

  bool await_ready() const { return false; }
  bool await_suspend(std::coroutine_handle<> flow) {
    flow_ = flow;
    return !awaited_.begin(activity_, *this);
  }
  decltype(auto) await_resume() { return awaited_.result(); }
  std::coroutine_handle<> complete() noexcept override { return flow_; }

 private:
  Activity& activity_;
  A awaited_;
  std::coroutine_handle<> flow_;
};

class FlowPromise {
 public:
  std::suspend_always initial_suspend() const noexcept { return {}; }
  struct End {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> flow) const noexcept {
      return flow.promise().ended();
    }
    void await_resume() const noexcept {}
  };
  End final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { failure_ = std::current_exception(); }

  template <class A>
  auto await_transform(A&& what) {
    static_assert(can_await<A>,
                  "a flow awaits when(), futures, all(), any(), barrier(), sync() and other flows");
    return Awaiter<AwaitableOf<A>>(*activity_, as_awaitable(std::forward<A>(what)));
  }

  const std::exception_ptr& failure() const { return failure_; }

 private:
  template <class T>
  friend class skein::FlowOf;
  /// Resumes the listener at the end. An end before the first wait resumes nothing: begin() returns it.
  std::coroutine_handle<> ended() const noexcept {
    return beginning_ ? std::noop_coroutine() : listener_->complete();
  }

  Activity* activity_ = nullptr;
  Listener* listener_ = nullptr;
  bool beginning_ = false;
  std::exception_ptr failure_;
};

template <class T>
struct FlowResult : FlowPromise {
  std::optional<T> value;
  template <class V>
  requires std::is_constructible_v<T, V>
  void return_value(V&& result) { value.emplace(std::forward<V>(result)); }
};
template <>
struct FlowResult<void> : FlowPromise {
  void return_void() const {}
};

}  // namespace chare

/// The return type of a flow. An awaited flow runs as part of the awaiting one, and gives its value or throws
/// the exception that ended it. As an entry method it runs from the call on until it first waits; an
/// exception that leaves it ends the job.
///
/// A flow is destroyed with its element, or at a sync point (Chare::sync()) where it waits. While it waits
/// elsewhere its element cannot move.
template <class T>
class [[nodiscard]] FlowOf {
 public:
  struct promise_type : chare::FlowResult<T> {
    FlowOf get_return_object() { return FlowOf(std::coroutine_handle<promise_type>::from_promise(*this)); }
  };

  FlowOf(FlowOf&& other) noexcept : flow_(std::exchange(other.flow_, nullptr)) {}
  FlowOf& operator=(FlowOf&&) = delete;
  ~FlowOf() {
    if (flow_) flow_.destroy();
  }

  // ---- for the library: an awaitable (chare/activity.hpp)
  bool begin(chare::Activity& activity, chare::Listener& listener) {
    promise_type& promise = flow_.promise();
    promise.activity_ = &activity;
    promise.listener_ = &listener;
    promise.beginning_ = true;
    flow_.resume();
    promise.beginning_ = false;
    return flow_.done();
  }
  T result() {
    if (const std::exception_ptr failure = this->failure()) std::rethrow_exception(failure);
    if constexpr (!std::is_void_v<T>) return std::move(*flow_.promise().value);
  }
  std::exception_ptr failure() const { return flow_.promise().failure(); }

 private:
  explicit FlowOf(std::coroutine_handle<promise_type> flow) : flow_(flow) {}
  std::coroutine_handle<promise_type> flow_;
};

namespace chare {
/// Runs the flow as an activity of the element.
void start_flow(Element& element, const EntryInfo& entry, Flow flow);
}  // namespace chare

}  // namespace skein
