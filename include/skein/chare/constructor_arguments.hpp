// SPDX-License-Identifier: Apache-2.0
// Checks of the arguments that insert(), create() and arrays are given for the constructor of a class.
#pragma once

#include "skein/chare/entry.hpp"

namespace skein::chare {

/// Kinds of parameters to look for: of the argument's type, others that hold all its values, others that may
/// not.
enum class Holds { itself, all, not_all };

/// Stands in for a number: converts only to such parameters, as those of a constructor cannot be listed.
template <class T, class A, Holds holds>
struct StandIn {
  template <class P>
  requires(!std::is_same_v<P, T> && std::is_convertible_v<A, P> &&
           (holds == Holds::itself ? std::is_same_v<A, P> : loses<A, P>() == (holds == Holds::not_all)))
  operator P() const;
};
template <class T, class A, Holds holds, bool replaced>
using Replaced = std::conditional_t<replaced, StandIn<T, std::remove_cvref_t<A>, holds>, A>;

/// True if T has a constructor for these arguments whose n-th parameter is of the kind `holds`.
template <class T, std::size_t n, Holds holds, class Places, class... A>
inline constexpr bool takes = false;
template <class T, std::size_t n, Holds holds, std::size_t... i, class... A>
inline constexpr bool takes<T, n, holds, std::index_sequence<i...>, A...> =
    std::is_constructible_v<T, Replaced<T, A, holds, i == n>...>;

template <class T, std::size_t n, class Places, class... A>
consteval bool keeps_value() {
  if constexpr (!std::is_arithmetic_v<std::remove_cvref_t<std::tuple_element_t<n, std::tuple<A...>>>>)
    return true;
  else
    return !takes<T, n, Holds::not_all, Places, A...> || takes<T, n, Holds::all, Places, A...> ||
           takes<T, n, Holds::itself, Places, A...>;
}
template <class T, class... A, std::size_t... i>
consteval bool keep_values(std::index_sequence<i...> places) {
  return (... && keeps_value<T, i, decltype(places), A...>());
}

/// Refuses wrong arguments at compile time. For static_asserts.
template <class T, class... A>
consteval bool check_constructor() {
  static_assert(std::is_constructible_v<T, A...>, "no constructor of the class takes these arguments");
  if constexpr (std::is_constructible_v<T, A...>)
    static_assert(keep_values<T, A...>(std::index_sequence_for<A...>{}),
                  "an argument may lose a part of its value in the constructor's parameter, as double does "
                  "in int: write the conversion in the call");
  return true;
}

}  // namespace skein::chare
