// SPDX-License-Identifier: Apache-2.0
// Threaded entry methods: they run on a stack of their own, and may block.
//
//     struct Cell : skein::Chare<Cell, skein::Index1> {
//       void work(int n) {
//         const int answer = array()[1].ask<&Cell::value>(n).get();   // blocks
//         ...
//       }
//       using Threaded = skein::Methods<&Cell::work>;
//
// Threads of a PE are never interrupted: each runs until it blocks or ends. While one lives its element
// cannot move. --stack-size sets the size of its stack; an overflow ends the job, naming element and method.
// A method is listed in the class that declares it: the element's class, or a base of it.
#pragma once

#include <memory>

#include "skein/flow.hpp"

namespace skein {

template <auto... methods>
struct Methods {};

namespace chare {

template <auto method>
struct MethodTag {};

template <auto method, auto... methods>
constexpr bool is_one_of(Methods<methods...>) {
  return (std::is_same_v<MethodTag<method>, MethodTag<methods>> || ...);
}
template <class Method>
struct ClassOfMethod;
template <class M, class T>
struct ClassOfMethod<M T::*> {
  using type = T;
};
/// Returns true if the class lists the method as Threaded.
template <auto method>
constexpr bool is_threaded() {
  using T = typename ClassOfMethod<decltype(method)>::type;
  if constexpr (requires { typename T::Threaded; })
    return is_one_of<method>(typename T::Threaded{});
  else
    return false;
}
/// Returns true if is_threaded() finds all methods that the class of elements lists. It looks in the class
/// that a method is declared in: for an inherited method the base, however it is named.
template <auto... methods>
constexpr bool all_are_threaded(Methods<methods...>) {
  return (... && is_threaded<methods>());
}
template <class T>
constexpr bool check_threaded() {
  if constexpr (requires { typename T::Threaded; })
    static_assert(all_are_threaded(typename T::Threaded{}),
                  "Threaded lists a method that the class inherits, which would run like any other: list it "
                  "in the Threaded of the class that declares it");
  return true;
}

/// The function that a thread runs.
struct ThreadBody {
  virtual ~ThreadBody() = default;
  virtual void run() = 0;
};
template <class F>
struct ThreadBodyOf final : ThreadBody {
  explicit ThreadBodyOf(F the_body) : body(std::move(the_body)) {}
  void run() override { body(); }
  F body;
};
void start_thread(Element& element, const EntryInfo& entry, std::unique_ptr<ThreadBody> body);

template <class F>
void start_thread(Element& element, const EntryInfo& entry, F body) {
  start_thread(element, entry, std::unique_ptr<ThreadBody>(new ThreadBodyOf<F>(std::move(body))));
}
/// A method and its arguments. No lambda: GCC warns of one that captures a type of an unnamed namespace, here
/// in a header.
template <auto method, class Arguments>
struct BoundMethod {
  typename ClassOfMethod<decltype(method)>::type* object;
  Arguments arguments;
  void operator()() { call(std::make_index_sequence<std::tuple_size_v<Arguments>>{}); }
  template <std::size_t... i>
  void call(std::index_sequence<i...>) {
    (object->*method)(std::move(std::get<i>(arguments))...);
  }
};

/// Returns the running thread. Ends the job if none runs, or if it has called a method of another element.
Activity& thread_that_waits();
/// Returns the listener of the running thread, which the awaited thing calls.
Listener& thread_listener();
/// Gives up the processor until the listener was called.
void block_thread();
/// Returns true if the address lies in the guard of the running thread's stack: the stack has overflowed.
bool in_guard_of_thread(const void* address);

}  // namespace chare

/// Blocks until an awaitable that a flow could await is complete, and returns its result: wait_for(future),
/// wait_for(when<&Cell::ghost>(4)), wait_for(all(...)), wait_for(some_flow()). For threaded entry methods.
/// Other elements run meanwhile, and so do other activities and entry methods of this one.
template <class A>
auto wait_for(A&& what) {
  static_assert(chare::can_await<A>, "wait_for() takes what a flow can await");
  using Awaited = chare::AwaitableOf<A>;
  static_assert(!chare::ends_activity<Awaited>, "a thread cannot be ended at a sync point: call at_sync()");
  Awaited awaited(chare::as_awaitable(std::forward<A>(what)));
  if (!awaited.begin(chare::thread_that_waits(), chare::thread_listener())) chare::block_thread();
  return awaited.result();
}

}  // namespace skein
