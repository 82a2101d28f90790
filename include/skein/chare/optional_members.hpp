// SPDX-License-Identifier: Apache-2.0
// The optional members of a class of elements (chare.hpp lists them), each as a function with a default for
// classes without it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "skein/chare/array_base.hpp"
#include "skein/chare/near_misses.hpp"
#include "skein/index.hpp"
#include "skein/pup.hpp"

namespace skein::chare {

template <class T>
inline constexpr bool can_move = pup::has_serialize<T>&& std::is_default_constructible_v<T>;

template <class T>
inline constexpr bool can_be_divided = can_move<T>&& gives_part<T>&& takes_part<T>;

template <class T>
void call_about_to_move(T& object) {
  if constexpr (requires { object.about_to_move(); }) object.about_to_move();
}
template <class T>
void call_just_moved(T& object) {
  if constexpr (requires { object.just_moved(); }) object.just_moved();
}

/// Returns load(); empty: the load is measured.
template <class T>
std::optional<double> declared_load_of(const T& object) {
  if constexpr (gives_load<T>)
    return object.load();
  else
    return std::nullopt;
}

/// Sets `at` by position(), or else to the first coordinates of the index. Returns false if it has neither.
template <class T>
bool position_of(const T& object, std::array<float, 3>& at) {
  using I = typename T::IndexType;
  if constexpr (gives_position<T>) {
    at = object.position();
    return true;
  } else if constexpr (requires { I::dimensions; }) {
    at = {};
    for (int i = 0; i < I::dimensions && i < 3; ++i)
      at[static_cast<std::size_t>(i)] = static_cast<float>(object.index()[i]);
    return true;
  } else {
    return false;
  }
}

/// Returns lb_level(); negative: it belongs to no level.
template <class T>
int level_of(const T& object) {
  if constexpr (gives_lb_level<T>)
    return object.lb_level();
  else
    return -1;
}

/// Returns part_index(), or else {-1 - number, 0, ...}. A class with neither ends the job.
template <class T>
typename T::IndexType part_index_of(const T& object, std::uint32_t number, const std::string& array) {
  typename T::IndexType index{};
  if constexpr (gives_part_index<T>)
    index = object.part_index(number);
  else if constexpr (requires { T::IndexType::dimensions; })
    index[0] = -1 - static_cast<int>(number);
  else
    fail(array + " is divisible, so it needs a part_index(): its index type is the program's");
  return index;
}

/// Returns the new part, or null: the object keeps all, or cannot be divided.
template <class T>
std::unique_ptr<T> split_off(T& object, double fraction) {
  if constexpr (gives_part<T>)
    return object.split(fraction);
  else
    return nullptr;
}

template <class T>
void call_parts_changed(T& object) {
  if constexpr (requires { object.parts_changed(); }) object.parts_changed();
}

}  // namespace skein::chare
