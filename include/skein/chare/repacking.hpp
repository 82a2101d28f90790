// SPDX-License-Identifier: Apache-2.0
// Elements that move to where they are (--check=pup): packed, destroyed, and unpacked into the same memory.
// The program goes on with the new object, so on one PE it does as it would after a move; and what is not
// again as it was is told.
#pragma once

#include <new>

#include "skein/chare/element.hpp"
#include "skein/chare/passage.hpp"

namespace skein::chare {

/// A class as far as an object of it is made anew in place.
struct MadeAnew {
  Passage how;
  std::size_t bytes;  ///< of an object
  void (*end)(void* object);
  void (*begin)(void* where);
};
template <class T>
inline constexpr MadeAnew made_anew{passage<T>, sizeof(T),
                                    [](void* object) { static_cast<T*>(object)->~T(); },
                                    [](void* where) { ::new (where) T; }};

/// `runtime_end`: where the members end in it that are none of the user's. Precondition: `birth` is that of
/// the element. Throws CorruptBuffer where it is not again as it was.
void repack_in_place(Element& element, const MadeAnew& type, void* object, const void* runtime_end);
template <class T>
void repack_in_place(Element& element, T& object) {
  // The index is the last member of Chare: in what is left of its size there may be one of T.
  repack_in_place(element, made_anew<T>, &object, &object.index() + 1);
}

}  // namespace skein::chare
