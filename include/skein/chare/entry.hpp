// SPDX-License-Identifier: Apache-2.0
// From a member function, named as a template argument, to an entry method: its arguments' types, its name,
// and the functions that call, pack and unpack it. What a call does depends on how the method is declared:
//   R method(P...)                       runs to its end
//   Flow method(P...)                    runs until it waits (flow.hpp)
//   one of T::Threaded                   runs on a stack of its own until it waits (thread.hpp)
//   Awaited<void(P...)> method           is kept until somebody takes it (when.hpp)
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "skein/chare/awaited.hpp"
#include "skein/chare/message.hpp"
#include "skein/flow.hpp"
#include "skein/pup.hpp"
#include "skein/thread.hpp"

namespace skein::chare {

template <class Method>
struct MethodTraits;
template <class T, class R, class... P>
struct MethodTraits<R (T::*)(P...)> {
  using Class = T;
  using Result = R;
  using Parameters = std::tuple<P...>;
  using Arguments = std::tuple<std::remove_cvref_t<P>...>;
  static constexpr bool by_value =
      (... && (!std::is_lvalue_reference_v<P> || std::is_const_v<std::remove_reference_t<P>>));
};
template <class T, class R, class... P>
struct MethodTraits<R (T::*)(P...) const> : MethodTraits<R (T::*)(P...)> {};
template <class T, class R, class... P>
struct MethodTraits<R (T::*)(P...) noexcept> : MethodTraits<R (T::*)(P...)> {};

template <auto method>
constexpr auto method_name() {
  constexpr std::string_view signature = __PRETTY_FUNCTION__;
  constexpr std::size_t start = signature.find("method = ") + 9;
  constexpr std::size_t found = signature[start] == '&' ? start + 1 : start;
  constexpr std::string_view unnamed[] = {"{anonymous}::", "(anonymous namespace)::"};
  constexpr bool gcc = signature.substr(found).starts_with(unnamed[0]);
  constexpr bool clang = signature.substr(found).starts_with(unnamed[1]);
  constexpr std::size_t at = found + (gcc ? unnamed[0].size() : clang ? unnamed[1].size() : 0);
  constexpr std::size_t length = signature.find_first_of(";]", at) - at;
  struct Name {
    char text[length + 1] = {};
  } name;
  for (std::size_t i = 0; i < length; ++i) name.text[i] = signature[at + i];
  return name;
}

/// The functions of an EntryInfo for calls with these arguments; Self::invoke() is what a call does.
template <class Self, class TheArguments>
struct CallsOf {
  using Arguments = TheArguments;
  struct Call : Message {
    template <class... A>
    explicit Call(A&&... a) : arguments(std::forward<A>(a)...) {}
    Arguments arguments;
  };

  template <class... A>
  static Call* make(A&&... a) {
    Call* const call = ::new (allocate_message(sizeof(Call))) Call(std::forward<A>(a)...);
    call->entry = &Self::info;
    return call;
  }

  static void drop(Message& message) {
    auto& call = static_cast<Call&>(message);
    call.~Call();
    free_message(&call, sizeof(Call));
  }

  /// Ends the message also when the method throws.
  static void run(Message& message) {
    struct End {
      Message& message;
      ~End() { drop(message); }
    } const end{message};
    Self::invoke(*message.to, static_cast<Call&>(message).arguments);
  }

  static void call(const Message& message, Element& element) {
    if constexpr (std::is_copy_constructible_v<Arguments>) {
      Arguments copy = static_cast<const Call&>(message).arguments;
      Self::invoke(element, copy);
    }
  }

  static Message* unpack(std::span<const std::byte> bytes, pup::Blocks& blocks) {
    Call* const call = make();
    try {
      pup::unpack_all(bytes, blocks, call->arguments);
    } catch (...) {
      drop(*call);
      throw;
    }
    return call;
  }

  static std::vector<std::byte> pack(Message& message, pup::Blocks& blocks) {
    std::vector<std::byte> packed;
    pup::append_packed(packed, blocks, static_cast<Call&>(message).arguments);
    return packed;
  }
};

template <auto method>
struct Entry : CallsOf<Entry<method>, typename MethodTraits<decltype(method)>::Arguments> {
  using Traits = MethodTraits<decltype(method)>;
  using T = typename Traits::Class;
  using Result = typename Traits::Result;
  using Arguments = typename Traits::Arguments;
  static_assert(Traits::by_value,
                "an entry method takes its parameters by value or by const reference: they may come from "
                "another process");
  static_assert(!is_flow<Result> || std::is_same_v<typename Traits::Parameters, Arguments>,
                "a flow takes its parameters by value: what they refer to would end before it does");

  static constexpr auto name = method_name<method>();
  static EntryInfo info;

  static void invoke(Element& element, Arguments& arguments) { invoke(element, arguments, Places{}); }

  /// As an ordinary call from the same PE.
  template <class... A>
  static void invoke_inline(Element& element, T& object, A&&... a) {
    if constexpr (is_flow<Result> || is_threaded<method>()) {
      Arguments arguments(std::forward<A>(a)...);
      invoke(element, arguments);
    } else {
      (object.*method)(std::forward<A>(a)...);
    }
  }

 private:
  using Places = std::make_index_sequence<std::tuple_size_v<Arguments>>;

  // No lambda: GCC warns of one that captures a T of an unnamed namespace, here in a header.
  template <std::size_t... i>
  static void invoke(Element& element, [[maybe_unused]] Arguments& arguments, std::index_sequence<i...>) {
    T& object = *static_cast<T*>(element.object);
    if constexpr (is_flow<Result>)
      start_flow(element, info, (object.*method)(std::move(std::get<i>(arguments))...));
    else if constexpr (is_threaded<method>())
      start_thread(element, info, BoundMethod<method, Arguments>{&object, std::move(arguments)});
    else
      (object.*method)(std::move(std::get<i>(arguments))...);
  }
};

template <auto method>
EntryInfo Entry<method>::info =
    register_entry({name.text, Entry::run, Entry::call, Entry::drop, Entry::unpack, Entry::pack, 0}, &info);

template <auto method>
struct AwaitedEntry : CallsOf<AwaitedEntry<method>, typename AwaitedTraits<decltype(method)>::Arguments> {
  using Traits = AwaitedTraits<decltype(method)>;
  using T = typename Traits::Class;
  using Result = void;
  using Arguments = typename Traits::Arguments;
  using Call = typename AwaitedEntry::Call;

  static constexpr auto name = method_name<method>();
  static EntryInfo info;

  /// The message goes to who takes it.
  static void run(Message& message) { control_of(*message.to).keep(message); }
  static void call(const Message& message, Element& element) {
    if constexpr (std::is_copy_constructible_v<Arguments>)
      control_of(element).keep(*AwaitedEntry::make(static_cast<const Call&>(message).arguments));
  }
  template <class... A>
  static void invoke_inline(Element& element, T&, A&&... a) {
    control_of(element).keep(*AwaitedEntry::make(std::forward<A>(a)...));
  }
};
template <auto method>
EntryInfo AwaitedEntry<method>::info = register_entry({name.text, run, call, AwaitedEntry::drop,
                                                       AwaitedEntry::unpack, AwaitedEntry::pack, 0},
                                                      &info);

template <auto method>
requires awaited_member<decltype(method)>
struct Entry<method> : AwaitedEntry<method> {
};

template <auto method>
struct EntryTraits : MethodTraits<decltype(method)> {};
template <auto method>
requires awaited_member<decltype(method)>
struct EntryTraits<method> : AwaitedTraits<decltype(method)> {
};

/// What send(), broadcast() and call() ask of their arguments.
template <auto method, class T, class... A>
constexpr void check_call() {
  static_assert(std::is_member_function_pointer_v<decltype(method)> || awaited_member<decltype(method)>,
                "name an entry method as &Class::method, a member function that is not static");
  using Traits = EntryTraits<method>;
  static_assert(std::is_base_of_v<typename Traits::Class, T>,
                "the entry method is of another class than the array");
  static_assert(std::tuple_size_v<typename Traits::Arguments> == sizeof...(A),
                "the entry method takes another number of arguments");
  if constexpr (std::tuple_size_v<typename Traits::Arguments> == sizeof...(A))
    static_assert(std::is_constructible_v<typename Traits::Arguments, A...>,
                  "an argument does not convert to the type of the entry method's parameter");
}

}  // namespace skein::chare
