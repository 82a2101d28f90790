// SPDX-License-Identifier: Apache-2.0
// Calls that are answered: array[i].ask<&Cell::value>(n) returns a future of the method's result.
#pragma once

#include "skein/array.hpp"
#include "skein/future.hpp"

namespace skein {
namespace chare {

template <class Result>
struct AnswerType {
  using type = std::remove_cvref_t<Result>;
};
template <class T>
struct AnswerType<FlowOf<T>> {
  using type = T;
};
template <auto method>
using Answer = typename AnswerType<typename EntryTraits<method>::Result>::type;

template <class T>
Flow answer_by_flow(Future<T> future, FlowOf<T> flow) {
  if constexpr (std::is_void_v<T>) {
    co_await std::move(flow);
    future.set();
  } else {
    future.set(co_await std::move(flow));
  }
}

template <auto method>
struct AnsweredArguments;

/// An entry method of an element of class T that sends its result to a future, the first of the arguments.
template <auto method, class T>
struct AnsweredEntry {
  using Arguments = typename AnsweredArguments<method>::type;
  using Result = typename Entry<method>::Result;
  static EntryInfo info;

  template <class... A>
  static Message& make(A&&... a) {
    return *make_call<Arguments>(info, std::forward<A>(a)...);
  }

  static void invoke(Element& element, void* arguments) {
    invoke(element, *static_cast<Arguments*>(arguments), Places{});
  }

 private:
  using Places = std::make_index_sequence<std::tuple_size_v<Arguments> - 1>;

  struct InThread {
    T* object;
    Arguments arguments;
    void operator()() { answer(*object, arguments, Places{}); }
  };

  template <std::size_t... i>
  static void answer(T& object, Arguments& arguments, std::index_sequence<i...>) {
    const auto& future = std::get<0>(arguments);
    if constexpr (std::is_void_v<Result>) {
      (object.*method)(std::move(std::get<i + 1>(arguments))...);
      future.set();
    } else {
      future.set((object.*method)(std::move(std::get<i + 1>(arguments))...));
    }
  }
  template <std::size_t... i>
  static void invoke(Element& element, Arguments& arguments, std::index_sequence<i...> places) {
    T& object = Access::object<T>(element);
    if constexpr (is_flow<Result>)
      start_flow(
          element, info,
          answer_by_flow(std::get<0>(arguments), (object.*method)(std::move(std::get<i + 1>(arguments))...)));
    else if constexpr (is_threaded<method>())
      start_thread(element, info, InThread{&object, std::move(arguments)});
    else
      answer(object, arguments, places);
  }
};
template <auto method>
struct AnsweredArguments {
  template <class... P>
  static std::tuple<Future<Answer<method>>, P...> with_future(const std::tuple<P...>&);
  using type = decltype(with_future(std::declval<typename Entry<method>::Arguments>()));
};
template <auto method, class T>
EntryInfo AnsweredEntry<method, T>::info{plain_calls, arguments_info<Arguments>, AnsweredEntry::invoke,
                                         name_in_signature(signature_with<method>())};

}  // namespace chare

template <class T>
template <auto method, class... A>
auto ElementRef<T>::ask(A&&... arguments) const {
  return prioritized(0).template ask<method>(std::forward<A>(arguments)...);
}
template <class T>
template <auto method, class... A>
auto PrioritizedRef<T>::ask(A&&... arguments) const {
  static_assert(chare::check_call<method, T, A...>);
  static_assert(!chare::awaited_member<decltype(method)>,
                "an awaited method returns nothing to be asked for");
  const auto future = Future<chare::Answer<method>>::make();
  element_.send_message(chare::AnsweredEntry<method, T>::make(future, std::forward<A>(arguments)...),
                        priority_);
  return future;
}

}  // namespace skein
