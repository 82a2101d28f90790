// SPDX-License-Identifier: Apache-2.0
// Finds the members of a plain aggregate at compile time, so that a struct of numbers needs no serialize()
// and one with a pointer in it is refused. Tries how many braced initialisers the aggregate takes.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace skein::pup {

/// Converts to any member's type, but to no base class of `Owner`: aggregates with bases are not examined.
template <class Owner>
struct AnyMember {
  template <class T>
  requires(!std::is_base_of_v<T, Owner>) constexpr operator T() const;
};

template <class T, std::size_t>
using AnyMemberOf = AnyMember<T>;

template <class T, class Places>
inline constexpr bool takes_braced = false;
template <class T, std::size_t... i>
inline constexpr bool takes_braced<T, std::index_sequence<i...>> = requires {
  T{{AnyMemberOf<T, i>{}}...};
};

template <class T, class Places>
inline constexpr bool takes_one_more = false;
template <class T, std::size_t... i>
inline constexpr bool takes_one_more<T, std::index_sequence<i...>> = requires {
  T{{AnyMemberOf<T, i>{}}..., AnyMember<T>{}};
};

inline constexpr std::size_t kMostMembersSeen = 24;

template <class T, std::size_t count = 0>
constexpr std::size_t braced_members() {
  if constexpr (count <= kMostMembersSeen && takes_braced<T, std::make_index_sequence<count + 1>>)
    return braced_members<T, count + 1>();
  else
    return count;
}

/// Returns the number of T's members, or 0 where it cannot be found: T is no aggregate, has base classes,
/// more than kMostMembersSeen members, or one that a single braced value does not determine (std::string,
/// ...). Braced, because `{x}` initialises a whole array member, where a bare `x` would only be its first
/// element.
template <class T>
constexpr std::size_t members_seen() {
  if constexpr (!std::is_aggregate_v<T> || std::is_union_v<T> || std::is_array_v<T>) {
    return 0;
  } else {
    constexpr std::size_t count = braced_members<T>();
    if constexpr (count > kMostMembersSeen || takes_one_more<T, std::make_index_sequence<count>>)
      return 0;
    else
      return count;
  }
}

template <class... T>
struct TypeList {};

/// Returns the types of T's members, a TypeList. Precondition: members_seen<T>() is not 0. Never evaluated.
template <class T>
auto member_types(T& t) {
  constexpr std::size_t n = members_seen<T>();
#define SKEIN_MEMBERS(count, ...)                                                                \
  if constexpr (n == count) {                                                                    \
    auto& [__VA_ARGS__] = t;                                                                     \
    return []<class... M>(M&...) { return TypeList<std::remove_const_t<M>...>{}; }(__VA_ARGS__); \
  } else
  SKEIN_MEMBERS(1, a)
  SKEIN_MEMBERS(2, a, b)
  SKEIN_MEMBERS(3, a, b, c)
  SKEIN_MEMBERS(4, a, b, c, d)
  SKEIN_MEMBERS(5, a, b, c, d, e)
  SKEIN_MEMBERS(6, a, b, c, d, e, f)
  SKEIN_MEMBERS(7, a, b, c, d, e, f, g)
  SKEIN_MEMBERS(8, a, b, c, d, e, f, g, h)
  SKEIN_MEMBERS(9, a, b, c, d, e, f, g, h, i)
  SKEIN_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
  SKEIN_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, k)
  SKEIN_MEMBERS(12, a, b, c, d, e, f, g, h, i, j, k, l)
  SKEIN_MEMBERS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  SKEIN_MEMBERS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, o)
  SKEIN_MEMBERS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p)
  SKEIN_MEMBERS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q)
  SKEIN_MEMBERS(17, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r)
  SKEIN_MEMBERS(18, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s)
  SKEIN_MEMBERS(19, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u)
  SKEIN_MEMBERS(20, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v)
  SKEIN_MEMBERS(21, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w)
  SKEIN_MEMBERS(22, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x)
  SKEIN_MEMBERS(23, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x, y)
  SKEIN_MEMBERS(24, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, u, v, w, x, y, z)
#undef SKEIN_MEMBERS
  return TypeList<>{};
}

template <class T>
using MemberTypes = decltype(member_types(std::declval<T&>()));

}  // namespace skein::pup
