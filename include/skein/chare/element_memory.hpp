// SPDX-License-Identifier: Apache-2.0
// The memory of elements. With --check each has pages of its own: a program that uses a pointer to an element
// that has moved or ended touches protected pages, and is told (runtime/chare/arrays/element_memory.cpp).
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <utility>

#include "skein/chare/element_block.hpp"
#include "skein/chare/settings.hpp"

namespace skein::chare {

/// Allocates memory whose bytes all have one value, so that bytes that no member occupies can be recognised.
[[gnu::cold]] void* allocate_watched(std::size_t bytes);
[[gnu::cold]] void set_unused(void* object, std::size_t bytes);
/// Returns true if the object is in memory of allocate_watched().
[[gnu::cold]] bool is_watched(const void* object);
/// Frees a destroyed object. `fate` describes it for messages on stale pointers: "Cell{3}, which has ended".
[[gnu::cold]] void free_watched(void* object, const std::string& fate);
/// Returns the fate of the object that was at the address, if it is one of those freed last, else null.
/// Callable from handlers of faults.
const char* fate_of_object_at(const void* address);

/// True for a class that allocates its objects itself.
template <class T>
concept has_own_new = requires {
  T::operator new(sizeof(T));
};
/// Returns a place in the block, or null: the class's `new` allocates.
template <class T>
void* place_in(ElementBlock& block) {
  if constexpr (has_own_new<T>)
    return nullptr;
  else
    return block.take();
}

/// Makes an element to unpack into: its members have the values that its default constructor gives them. In
/// the block, if it has a place.
template <class T>
T& make_blank_object(ElementBlock& block) {
  if (settings.elements_watched) [[unlikely]]
    return *::new (allocate_watched(sizeof(T))) T;
  void* const place = place_in<T>(block);
  return place ? *::new (place) T : *new T;
}
/// Makes an element, in watched memory if it is wanted and there are no arguments, so that members without a
/// value are found.
template <class T, class... A>
T& make_object(ElementBlock& block, A&&... a) {
  if constexpr (sizeof...(A) == 0) {
    if (settings.elements_watched) [[unlikely]]
      return make_blank_object<T>(block);
  }
  void* const place = settings.elements_watched ? allocate_watched(sizeof(T)) : place_in<T>(block);
  return place ? *::new (place) T(std::forward<A>(a)...) : *new T(std::forward<A>(a)...);
}

/// Destroys an object that was made by these functions, or by `new`. `fate()` is called where its text is
/// needed.
template <class T, class Fate>
void end_object(T* object, ElementBlock& block, Fate fate) {
  if (block.has(object)) {
    object->~T();
    block.give(object);
    return;
  }
  if (!settings.elements_watched || !is_watched(object)) [[likely]] {
    delete object;
    return;
  }
  const std::string last = fate();
  object->~T();
  free_watched(object, last);
}

}  // namespace skein::chare
