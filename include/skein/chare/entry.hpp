// SPDX-License-Identifier: Apache-2.0
// Makes an entry method of a member function that is named as a template argument: the types of its
// arguments, its name, and the functions that call, pack and unpack it. The declaration decides what a call
// does:
//   R method(P...)                       runs to its end
//   Flow method(P...)                    runs until it waits (flow.hpp)
//   one of T::Threaded                   runs on a stack of its own until it waits (thread.hpp)
//   Awaited<void(P...)> method           is kept until an activity takes it (when.hpp)
#pragma once
#include <tuple>
#include <type_traits>
#include <utility>

#include "skein/chare/array_base.hpp"
#include "skein/chare/message.hpp"
#include "skein/chare/passage.hpp"
#include "skein/flow.hpp"
#include "skein/index.hpp"
#include "skein/pup.hpp"
#include "skein/thread.hpp"

namespace skein {

// Methods whose calls are not run but kept for a flow or thread of the element to take.

/// A member that declares an awaited method:
///
///     skein::Awaited<void(int from, std::vector<Vec3> xyz)> positions;
///
/// It is called like every entry method, cells[i].send<&Cell::positions>(...), and taken by when()
/// (when.hpp). It holds nothing: the library keeps early calls with its data of the element, and they travel
/// with it.
template <class Signature>
class Awaited {
  static_assert(std::is_same_v<Signature, void>,
                "write an awaited method as skein::Awaited<void(int, double)>");
};
template <class... P>
class Awaited<void(P...)> {};

namespace chare {

template <class Member>
struct AwaitedTraits;
template <class T, class... P>
struct AwaitedTraits<Awaited<void(P...)> T::*> {
  using Class = T;
  using Result = void;
  using Parameters = std::tuple<P...>;
  using Arguments = std::tuple<std::remove_cvref_t<P>...>;
};

template <class Member>
concept awaited_member = requires {
  typename AwaitedTraits<Member>::Arguments;
};

}  // namespace chare

template <class T, index_type I>
class Chare;
}  // namespace skein

namespace skein::chare {

/// Accesses the private part of a chare: its Element, the first member of Chare.
struct Access {
  template <class T>
  static Element& element(T& chare) {
    return chare.element_;
  }
  /// Returns the element as its class, or as a base of it that derives from Chare.
  template <class T>
  static T& object(const Element& element) {
    static_assert(std::is_standard_layout_v<Element>, "as what it is the first member of is where it is");
    using Base = std::remove_pointer_t<decltype(chare_of(static_cast<T*>(nullptr)))>;
    return static_cast<T&>(*reinterpret_cast<Base*>(const_cast<Element*>(&element)));
  }
  template <class T>
  static constexpr bool derives_from_chare = requires {
    chare_of(static_cast<T*>(nullptr));
  };

 private:
  template <class T, index_type I>
  static Chare<T, I>* chare_of(Chare<T, I>* base);
};

template <class Method>
struct MethodTraits;
/// Methods that match none of the following specialisations.
template <class M, class T>
struct MethodTraits<M T::*> {
  static_assert(!std::is_function_v<M>,
                "an entry method is a plain member function, const or noexcept or not: not volatile, and "
                "without & or && behind its parameters");
  using Class = T;
  using Result = void;
  using Parameters = std::tuple<>;
  using Arguments = std::tuple<>;
  static constexpr bool by_value = true;
};
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
template <class T, class R, class... P>
struct MethodTraits<R (T::*)(P...) const noexcept> : MethodTraits<R (T::*)(P...)> {};

/// Returns "... [with auto method = &Cell::positions]". name_in_signature() finds the name in it, once, at
/// run time: cutting it out at compile time costs as much as the rest of a method.
template <auto method>
consteval const char* signature_with() {
  return __PRETTY_FUNCTION__;
}

/// A call with these arguments.
template <class Arguments>
struct CallWith : Message {
  template <class... A>
  explicit CallWith(A&&... a) : arguments(std::forward<A>(a)...) {
    static_assert(sizeof...(A) > 0 || std::tuple_size_v<Arguments> == 0, "a tuple is made of nothing, too");
  }
  Arguments arguments;
};

/// Makes a call of that method, without an element yet.
template <class Arguments, class... A>
CallWith<Arguments>* make_call(const EntryInfo& entry, A&&... a) {
  using Call = CallWith<Arguments>;
  auto* const call = ::new (allocate_message(sizeof(Call))) Call(std::forward<A>(a)...);
  call->entry = &entry;
  return call;
}

/// The functions of ArgumentsInfo, or null.
template <class Arguments>
struct ArgumentFunctions;
template <class... P>
struct ArgumentFunctions<std::tuple<P...>> {
  using Arguments = std::tuple<P...>;

  static constexpr auto construct() -> void (*)(void* at) {
    if constexpr ((... && std::is_trivially_default_constructible_v<P>))
      return nullptr;
    else
      return [](void* at) { ::new (at) Arguments(); };
  }
  /// Null also for arguments that cannot be copied, which no broadcast has.
  static constexpr auto copy() -> void (*)(void* to, const void* from) {
    if constexpr (!(... && std::is_copy_constructible_v<P>) || (... && std::is_trivially_copyable_v<P>))
      return nullptr;
    else
      return [](void* to, const void* from) { ::new (to) Arguments(*static_cast<const Arguments*>(from)); };
  }
  static constexpr auto destroy() -> void (*)(void* arguments) {
    if constexpr (std::is_trivially_destructible_v<Arguments>)
      return nullptr;
    else
      return [](void* arguments) { static_cast<Arguments*>(arguments)->~Arguments(); };
  }
  /// Not 0 for a single argument whose bytes are its packed form; the library chooses the layout of larger
  /// tuples.
  static constexpr std::size_t plain_bytes() {
    if constexpr (sizeof...(P) == 1)
      return (... && (pup::passes_as_bytes<P> && std::is_trivially_copyable_v<P>)) ? sizeof(Arguments) : 0;
    else
      return 0;
  }
};
static_assert(std::has_unique_object_representations_v<Message>,
              "arguments lie behind it, not in its padding");
template <class Arguments>
inline constexpr ArgumentsInfo arguments_info{
    sizeof(Arguments),
    (sizeof(Message) + alignof(Arguments) - 1) / alignof(Arguments) * alignof(Arguments),
    sizeof(CallWith<Arguments>),
    ArgumentFunctions<Arguments>::plain_bytes(),
    ArgumentFunctions<Arguments>::construct(),
    ArgumentFunctions<Arguments>::copy(),
    ArgumentFunctions<Arguments>::destroy(),
    &passage<Arguments>};

/// The result of an ordinary call of the method: void for methods that wait.
template <class Result, bool threaded>
using PlainResult = std::conditional_t<threaded || is_flow<Result>, void, std::remove_cvref_t<Result>>;

/// An entry method. T is the class that the element is found as: that of the method, or that of the array if
/// the method's class is a base beside Chare, whose offset in an element is known there only (EntryOf).
template <auto method, class T = typename ClassOfMethod<decltype(method)>::type>
struct Entry {
  using Traits = MethodTraits<decltype(method)>;
  using Result = typename Traits::Result;
  using Arguments = typename Traits::Arguments;
  using Call = CallWith<Arguments>;
  static_assert(Traits::by_value,
                "an entry method takes its parameters by value or by const reference: they may come from "
                "another process");
  static_assert(!is_flow<Result> || std::is_same_v<typename Traits::Parameters, Arguments>,
                "a flow takes its parameters by value: what they refer to would end before it does");

  using Inline = PlainResult<Result, is_threaded<method>()>;

  static EntryInfo info;

  template <class... A>
  static Call* make(A&&... a) {
    return make_call<Arguments>(info, std::forward<A>(a)...);
  }

  static void invoke(Element& element, void* arguments) {
    invoke(element, *static_cast<Arguments*>(arguments), Places{});
  }

  /// Calls the method as an ordinary call, from the same PE.
  template <class... A>
  static Inline invoke_inline(Element& element, T& object, A&&... a) {
    if constexpr (is_flow<Result> || is_threaded<method>()) {
      Arguments arguments(std::forward<A>(a)...);
      invoke(element, &arguments);
    } else if constexpr (std::is_void_v<Result>) {
      (object.*method)(std::forward<A>(a)...);
    } else {
      return (object.*method)(std::forward<A>(a)...);
    }
  }

 private:
  using Places = std::make_index_sequence<std::tuple_size_v<Arguments>>;

  /// No lambda: GCC warns of one that captures a T of an unnamed namespace, here in a header.
  template <std::size_t... i>
  static void invoke(Element& element, [[maybe_unused]] Arguments& arguments, std::index_sequence<i...>) {
    T& object = Access::object<T>(element);
    if constexpr (is_flow<Result>)
      start_flow(element, info, (object.*method)(std::move(std::get<i>(arguments))...));
    else if constexpr (is_threaded<method>())
      start_thread(element, info, BoundMethod<method, Arguments>{&object, std::move(arguments)});
    else
      (object.*method)(std::move(std::get<i>(arguments))...);
  }
};

template <auto method, class T>
EntryInfo Entry<method, T>::info{plain_calls, arguments_info<Arguments>, Entry::invoke,
                                 name_in_signature(signature_with<method>())};

template <auto method, class T>
requires awaited_member<decltype(method)>
struct Entry<method, T> {
  using Traits = AwaitedTraits<decltype(method)>;
  using Result = void;
  using Inline = void;
  using Arguments = typename Traits::Arguments;
  using Call = CallWith<Arguments>;

  static inline EntryInfo info{awaited_calls, arguments_info<Arguments>, nullptr,
                               name_in_signature(signature_with<method>())};

  template <class... A>
  static Call* make(A&&... a) {
    return make_call<Arguments>(info, std::forward<A>(a)...);
  }
  template <class... A>
  static void invoke_inline(Element& element, const T&, A&&... a) {
    control_of(element).keep(*make(std::forward<A>(a)...));
  }
};

/// The Entry of the method for an element of class T. Code that awaits a method does not know T.
template <auto method, class T>
using EntryOf =
    std::conditional_t<Access::derives_from_chare<typename ClassOfMethod<decltype(method)>::type> ||
                           awaited_member<decltype(method)>,
                       Entry<method>, Entry<method, T>>;

template <auto method>
using InlineResult = typename Entry<method>::Inline;

template <auto method>
struct EntryTraits : MethodTraits<decltype(method)> {};
template <auto method>
requires awaited_member<decltype(method)>
struct EntryTraits<method> : AwaitedTraits<decltype(method)> {
};

/// Returns true if a parameter P may hold another number than the argument A.
template <class A, class P>
consteval bool loses() {
  if constexpr (std::is_same_v<A, P>)
    return false;
  else if constexpr (std::is_same_v<P, bool>)
    return std::is_arithmetic_v<A> || std::is_pointer_v<std::decay_t<A>>;
  else if constexpr (!std::is_arithmetic_v<A> || !std::is_arithmetic_v<P>)
    return false;
  else if constexpr (std::is_floating_point_v<A> == std::is_floating_point_v<P>)
    return sizeof(P) < sizeof(A);
  else
    return std::is_floating_point_v<A>;
}
template <class Arguments, class... A>
struct Conversions;
template <class... P, class... A>
struct Conversions<std::tuple<P...>, A...> {
  static constexpr bool implicit = (... && std::is_convertible_v<A, P>);
  static constexpr bool lossless = (... && !loses<std::remove_cvref_t<A>, P>());
};

template <class Traits, class T, class... A>
consteval bool check_the_arguments() {
  using Arguments = typename Traits::Arguments;
  static_assert(std::is_base_of_v<typename Traits::Class, T>,
                "the entry method is of another class than the array");
  static_assert(std::tuple_size_v<Arguments> == sizeof...(A),
                "the entry method takes another number of arguments. Default arguments are not known where a "
                "method is named as &Class::method: the call names them all");
  if constexpr (std::tuple_size_v<Arguments> == sizeof...(A)) {
    static_assert(std::is_constructible_v<Arguments, A...>,
                  "an argument does not convert to the type of the entry method's parameter");
    if constexpr (std::is_constructible_v<Arguments, A...>) {
      static_assert(Conversions<Arguments, A...>::implicit,
                    "an argument becomes the entry method's parameter by a constructor that is explicit, as "
                    "int becomes std::vector: write the conversion in the call");
      static_assert(Conversions<Arguments, A...>::lossless,
                    "an argument may lose a part of its value in the entry method's parameter, as double "
                    "does in int: write the conversion in the call");
    }
  }
  return true;
}

template <auto method, class T, class... A>
consteval bool check_the_call() {
  static_assert(std::is_member_function_pointer_v<decltype(method)> || awaited_member<decltype(method)>,
                "name an entry method as &Class::method, a member function that is not static");
  return check_the_arguments<EntryTraits<method>, T, A...>();
}
/// Checks the arguments of send(), broadcast() and call(). For static_asserts, which leave no code.
template <auto method, class T, class... A>
inline constexpr bool check_call = check_the_call<method, T, A...>();

}  // namespace skein::chare
