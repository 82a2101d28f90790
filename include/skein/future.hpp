// SPDX-License-Identifier: Apache-2.0
// Futures: values that are still to come, each under a small name that can be sent along.
#pragma once

#include "skein/callback.hpp"
#include "skein/thread.hpp"

namespace skein {
namespace chare {

/// Makes a future, named after the running element and method. Callable from anywhere.
FutureName new_future();
/// Returns how many futures this PE has made, to be set by a job that continues from a state.
std::uint64_t& futures_made();
/// Returns true if a future that was made on this PE lacks its value or its reader.
bool any_open_future();
void set_future(const FutureName& future, Bytes packed);
/// Asks for the value to be sent to the element, wherever it is by then.
void request_value(const Element& element, const FutureName& future);
/// Asks for the value to be delivered to `destination`, once.
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

/// The name of a value of type T that will be set later. Copies are the same future; they may be sent, kept
/// in members, and used on any PE, by all entry methods and by the function given to run().
///
/// A future is set once and its value is read once, by one of these functions; doing either twice ends the
/// job. Either may come first. T may be void.
template <class T>
class Future {
 public:
  /// Names no future; a future can be assigned to it.
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

  /// Gives the value to the callback once it is set. Returns at once.
  void then(const Callback<T>& callback) const { chare::request_future(name_, callback.destination()); }
  /// Gives the value to the element's entry method once it is set. Returns at once.
  template <auto method, class C>
  void then(const ElementRef<C>& element) const {
    then(to<method>(element));
  }
  /// Blocks until the value is set. For threaded entry methods; a flow writes `co_await future`.
  T get() const { return wait_for(*this); }

  chare::FutureWait<T> as_awaitable() const { return chare::FutureWait<T>(name_); }
  const chare::FutureName& name() const { return name_; }

 private:
  chare::FutureName name_;
};

/// Sets the future to the result, e.g. of a reduction or of quiescence detection.
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
