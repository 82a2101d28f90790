// SPDX-License-Identifier: Apache-2.0
// Makes elements anew in place (--check=pup): packs them, destroys them, and unpacks them into the same
// memory. The program continues with the new object, so on one PE it behaves as after a move; members that
// are not restored are reported.
#pragma once

#include <new>

#include "skein/chare/element.hpp"
#include "skein/chare/passage.hpp"

namespace skein::chare {

/// The operations to make an object of a class anew in place.
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

/// Makes the element anew. `runtime_end`: the end of the members that are not the user's. Precondition:
/// `birth` is that of the element. Throws CorruptBuffer if a member is not restored.
void repack_in_place(Element& element, const MadeAnew& type, void* object, const void* runtime_end);
template <class T>
void repack_in_place(Element& element, T& object) {
  // The index is the last member of Chare; a member of T may lie in its tail padding.
  repack_in_place(element, made_anew<T>, &object, &object.index() + 1);
}

}  // namespace skein::chare
