// SPDX-License-Identifier: Apache-2.0
// Futures: a value that is not there yet, under a small name that can be sent along.
#pragma once

#include "skein/callback.hpp"
#include "skein/thread.hpp"

namespace skein {
namespace chare {

/// Anywhere: names it after the element and the method that run.
FutureName new_future();
/// As channels_made() (turn.hpp).
std::uint64_t& futures_made();
/// Made here and not both set and asked for.
bool any_open_future();
void set_future(const FutureName& future, Bytes packed);
/// Has the value sent to the element, wherever it is by then.
void request_value(const Element& element, const FutureName& future);
/// The value goes there, once.
void request_future(const FutureName& future, const Destination& destination);

template <class T>
class FutureWait final : public Wait {
 public:
  explicit FutureWait(const FutureName& future) : future_(future) {}

  bool take() override {
    Control& control = control_of(element());
    const std::vector<std::byte>* const packed = control.value_of(future_);
    if (!packed) return false;
    if constexpr (!std::is_void_v<T>) value_.emplace(unpack<T>(*packed));
    control.forget(future_);
    return true;
  }
  T result() {
    if constexpr (!std::is_void_v<T>) return std::move(*value_);
  }
  std::string describe() const override { return name_of(future_); }

 private:
  FutureName future_;
  std::optional<std::conditional_t<std::is_void_v<T>, std::monostate, T>> value_;
};

}  // namespace chare

/// The name of a value of type T that somebody will set. Copies are the same future; they may be sent, kept
/// in members, and used on any PE, by all entry methods and by the function given to run().
///
/// A future is set once and its value is got once, in one of these ways; doing either twice ends the job.
/// Which comes first does not matter. T may be void.
template <class T>
class Future {
 public:
  /// No future; it can be assigned.
  Future() = default;
  static Future make() {
    Future future;
    future.name_ = chare::new_future();
    return future;
  }

  template <class V>
  requires(!std::is_void_v<T> && std::is_convertible_v<V, T>) void set(V&& value) const {
    const T& converted = value;
    chare::set_future(name_, pack(converted));
  }
  void set() const requires std::is_void_v<T> { chare::set_future(name_, {}); }

  /// Gives the value to the callback when it is there. Returns at once.
  void then(const Callback<T>& callback) const { chare::request_future(name_, callback.destination()); }
  /// Gives the value to the element's entry method when it is there. Returns at once.
  template <auto method, class C>
  void then(const ElementRef<C>& element) const {
    then(to<method>(element));
  }
  /// In a threaded entry method: blocks until the value is there. A flow writes `co_await future`.
  T get() const { return wait_for(*this); }

  chare::FutureWait<T> as_awaitable() const { return chare::FutureWait<T>(name_); }
  const chare::FutureName& name() const { return name_; }

 private:
  chare::FutureName name_;
};

/// Sets the future, as the result of a reduction or of quiescence detection.
template <class T>
Callback<T> to(const Future<T>& future) {
  chare::Destination destination;
  destination.kind = chare::Destination::Kind::future;
  destination.future = future.name();
  return Callback<T>(destination);
}

namespace pup {
template <class T>
struct Bitwise<Future<T>> : std::true_type {};
}  // namespace pup

}  // namespace skein
