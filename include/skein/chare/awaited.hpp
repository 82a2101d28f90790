// SPDX-License-Identifier: Apache-2.0
// Methods whose calls are not run but kept for a flow or thread of the element to take.
#pragma once

#include <tuple>
#include <type_traits>

namespace skein {

/// A member that declares an awaited method:
///
///     skein::Awaited<void(int from, std::vector<Vec3> xyz)> positions;
///
/// It is called as every entry method is, cells[i].send<&Cell::positions>(...), and taken by when()
/// (when.hpp). It holds nothing: calls that come early are kept, and travel, with what the library keeps of
/// the element.
template <class Signature>
class Awaited {
  static_assert(std::is_same_v<Signature, void>,
                "write an awaited method as skein::Awaited<void(int, double)>");
};
template <class... P>
class Awaited<void(P...)> {};

namespace chare {

template <class Member>
struct AwaitedTraits;
template <class T, class... P>
struct AwaitedTraits<Awaited<void(P...)> T::*> {
  using Class = T;
  using Result = void;
  using Parameters = std::tuple<P...>;
  using Arguments = std::tuple<std::remove_cvref_t<P>...>;
};

template <class Member>
concept awaited_member = requires {
  typename AwaitedTraits<Member>::Arguments;
};

}  // namespace chare
}  // namespace skein
