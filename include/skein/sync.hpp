// SPDX-License-Identifier: Apache-2.0
// Sync points that name the call to make after them, for Chare::at_sync() and Chare::sync().
//
// A coroutine's frame has pointers to functions, to other frames and into itself, so it cannot be packed. A
// flow at a sync point therefore has no frame: sync() ends it, and a call takes its place, which travels like
// any call.
#pragma once

#include "skein/chare/array_base.hpp"
#include "skein/chare/entry.hpp"
#include "skein/chare/near_misses.hpp"

namespace skein::chare {

template <auto method, class T, class... A>
void at_sync(Element& element, A&&... arguments) {
  static_assert(check_sync_point<T>());
  static_assert(check_call<method, T, A...>);
  control_of(element).set_after_sync(*EntryOf<method, T>::make(std::forward<A>(arguments)...));
  at_sync(element);
}

/// An awaitable that never gives anything, because it ends the flow that awaits it.
template <auto method, class T, class... A>
class Sync : public Awaitable {
 public:
  explicit Sync(A... arguments) : arguments_(std::move(arguments)...) {}
  bool begin(Activity& activity, Listener&) {
    Element& element = activity.element();
    control_of(element).end_at_sync(activity);
    std::apply([&](A&... a) { at_sync<method, T>(element, std::move(a)...); }, arguments_);
    return false;
  }
  void result() {}

 private:
  std::tuple<A...> arguments_;
};
template <auto method, class T, class... A>
inline constexpr bool ends_activity<Sync<method, T, A...>> = true;

template <auto method, class T, class... A>
auto sync(A&&... arguments) {
  static_assert(check_call<method, T, A...>);
  return Sync<method, T, std::decay_t<A>...>(std::forward<A>(arguments)...);
}

}  // namespace skein::chare
