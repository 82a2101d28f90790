// SPDX-License-Identifier: Apache-2.0
// Calls that keep their order, however sender and receiver move.
#pragma once

#include "skein/array.hpp"
#include "skein/chare/turn.hpp"

namespace skein {

/// A channel to an element: calls over it run in their order, each once. There is no order between channels.
/// It belongs to the object that makes the calls: as a member of an element it moves with it.
///
/// A call costs about twice a plain one, and the receiver remembers each channel to it until it ends.
template <class T>
class Ordered {
 public:
  /// Names no element; a channel can be assigned to it or loaded into it.
  Ordered() = default;
  /// Opens a channel. For entry methods, constructors of elements, and the function given to run().
  explicit Ordered(const ElementRef<T>& to) : to_(to), turn_{chare::new_channel(), 0} {}
  /// Not copyable: two copies would make calls with equal numbers.
  Ordered(const Ordered&) = delete;
  Ordered& operator=(const Ordered&) = delete;
  Ordered(Ordered&&) = default;
  Ordered& operator=(Ordered&&) = default;

  const ElementRef<T>& to() const { return to_; }

  /// Calls `method` of the element over the channel, like ElementRef::send().
  template <auto method, class... A>
  void send(A&&... arguments) {
    static_assert(chare::check_call<method, T, A...>);
    const chare::Turn turn{turn_.channel, turn_.number++};
    static_cast<chare::ArrayOf<T>&>(chare::array_number(to_.array_number()))
        .send(to_.index(),
              chare::in_turn(turn, *chare::EntryOf<method, T>::make(std::forward<A>(arguments)...)));
  }

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& to_& turn_.channel& turn_.number;
  }

 private:
  ElementRef<T> to_;
  chare::Turn turn_;
};

}  // namespace skein
