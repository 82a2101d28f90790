// SPDX-License-Identifier: Apache-2.0
// The destination of a result: an entry method of one element or of all, a function, a future (future.hpp),
// or nowhere. A callback is a value: it can be an argument of calls and be kept in members.
#pragma once

#include <concepts>

#include "skein/section.hpp"

namespace skein {

template <class V = void>
class Callback {
 public:
  /// Drops the value.
  Callback() = default;
  explicit Callback(const chare::Destination& destination) : destination_(destination) {}
  /// Lets `point` fill in the destination in place. Each contribution may make a callback, and copying by
  /// other word sizes than the words were just written in stalls a processor.
  template <std::invocable<chare::Destination&> Point>
  explicit Callback(Point point) {
    point(destination_);
  }
  /// Notifies `without_value` that there is a value, without giving it the value.
  Callback(const Callback<void>& without_value);
  const chare::Destination& destination() const { return destination_; }

  /// Delivers the value. Callable from entry methods and from run()'s function.
  void operator()(const V& value) const { chare::deliver(destination_, pack(value)); }

 private:
  chare::Destination destination_;
};

/// The destination of a result without a value.
template <>
class Callback<void> {
 public:
  Callback() = default;
  explicit Callback(const chare::Destination& destination) : destination_(destination) {}
  template <std::invocable<chare::Destination&> Point>
  explicit Callback(Point point) {
    point(destination_);
  }
  /// Refused at compile time: the target of the callback takes a value, and none would be given.
  template <class V>
  Callback(const Callback<V>&) {
    static_assert(std::is_void_v<V>,
                  "what calls back here gives no value, and what is called takes one. Default arguments are "
                  "not known where a method is named as &Class::method: name one without parameters");
  }
  const chare::Destination& destination() const { return destination_; }
  void operator()() const { chare::deliver(destination_, {}); }

 private:
  chare::Destination destination_;
};

template <class V>
Callback<V>::Callback(const Callback<void>& without_value) : destination_(without_value.destination()) {
  destination_.drops_value = true;
}

namespace pup {
template <class V>
struct Bitwise<Callback<V>> : std::true_type {};
}  // namespace pup

namespace chare {

template <class Arguments>
struct ResultOf {
  static_assert(std::tuple_size_v<Arguments> < 2,
                "a callback calls a method with one parameter, the result, or with none. Parameters with "
                "default arguments count, as these are not known where a method is named as &Class::method");
  using type = void;
};
template <class V>
struct ResultOf<std::tuple<V>> {
  using type = V;
};

template <auto method>
using MethodResult = typename ResultOf<typename Entry<method>::Arguments>::type;

template <auto method, class T>
consteval bool check_callback() {
  static_assert(std::is_base_of_v<typename ClassOfMethod<decltype(method)>::type, T>,
                "a callback calls a method of the element's class");
  return true;
}

template <class F, class V>
struct Function {
  static void call(Bytes packed) {
    if constexpr (std::is_void_v<V>) {
      F{}();
    } else {
      F{}(unpack<V>(packed));
    }
  }
  static FunctionInfo info;
};
template <class F, class V>
FunctionInfo Function<F, V>::info = register_function({call, 0}, &info);

}  // namespace chare

/// Calls the entry method of one element, with the result or without arguments.
template <auto method, class T>
auto to(const ElementRef<T>& element) {
  static_assert(chare::check_callback<method, T>());
  const auto index = element.index();
  static_assert(sizeof index <= chare::Destination::longest_index);
  return Callback<chare::MethodResult<method>>([&](chare::Destination& destination) {
    destination.kind = chare::Destination::Kind::element;
    destination.array = element.array_number();
    destination.target = chare::EntryOf<method, T>::info.number;
    destination.index_bytes = sizeof index;
    memcpy(destination.index, &index, sizeof index);
  });
}

/// Calls the entry method of all elements of an array.
template <auto method, class T>
auto to(const Array<T>& array) {
  static_assert(chare::check_callback<method, T>());
  return Callback<chare::MethodResult<method>>([&](chare::Destination& destination) {
    destination.kind = chare::Destination::Kind::all;
    destination.array = array.number();
    destination.target = chare::EntryOf<method, T>::info.number;
  });
}

/// Calls the entry method of all members of a section.
template <auto method, class T>
auto to(const Section<T>& section) {
  static_assert(chare::check_callback<method, T>());
  return Callback<chare::MethodResult<method>>([&](chare::Destination& destination) {
    destination.kind = chare::Destination::Kind::section;
    destination.array = section.name().array;
    destination.target = chare::EntryOf<method, T>::info.number;
    destination.index_bytes = sizeof(chare::SectionName);
    memcpy(destination.index, &section.name(), sizeof(chare::SectionName));
  });
}

/// Calls a function on PE `pe`: a lambda that captures nothing. to_function<double>([](double sum) {...}).
template <class V, class F>
Callback<V> to_function(F, int pe = 0) {
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "the function runs on another PE perhaps, so it must not capture anything");
  return Callback<V>([&](chare::Destination& destination) {
    destination.kind = chare::Destination::Kind::function;
    destination.target = chare::Function<F, V>::info.number;
    destination.pe = pe;
  });
}

}  // namespace skein
