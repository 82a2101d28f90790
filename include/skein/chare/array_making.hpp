// SPDX-License-Identifier: Apache-2.0
// Makes arrays on every PE from the description that their creator packed.
#pragma once

#include <typeinfo>

#include "skein/chare.hpp"
#include "skein/maps.hpp"

namespace skein::chare {

enum class ArrayKind { dense, sparse, group };

/// Calls f(index) for the indices at places `first` up to `last` in the order of for_each_index().
template <class I, class F>
void for_each_index_at(const I& bounds, std::int64_t first, std::int64_t last, F f) {
  if (first >= last) return;
  I index;
  std::int64_t rest = first;
  for (int i = I::dimensions - 1; i >= 0; --i) {
    index[i] = static_cast<int>(rest % bounds[i]);
    rest /= bounds[i];
  }
  for (std::int64_t place = first; place < last; ++place) {
    f(index);
    for (int i = I::dimensions - 1; i >= 0 && ++index[i] == bounds[i]; --i) index[i] = 0;
  }
}

/// Makes an array from its packed description: bounds, then the arguments of the elements.
template <ArrayKind kind, class T, class Map, class... A>
struct ArrayMaker {
  using I = typename T::IndexType;
  using Description = std::tuple<I, A...>;

  static int home(const I& index, const I& bounds, int pes) { return Map{}(index, bounds, pes); }

  /// Returns the bounds. A job that continues from a state may have other PEs and nodes than when the group
  /// was created.
  static I bounds_in(Bytes packed) {
    I bounds;
    memcpy(&bounds, packed.data(), sizeof bounds);
    if constexpr (kind == ArrayKind::group)
      bounds[0] = std::is_same_v<Map, NodeMap> ? node_count() : pe_count();
    return bounds;
  }

  static std::unique_ptr<ArrayBase> make(std::uint32_t number, Bytes packed) {
    return std::make_unique<ArrayOf<T>>(
        number, class_name(typeid(T)),
        Shape<I>{bounds_in(packed), home, kind != ArrayKind::sparse, kind == ArrayKind::group});
  }

  static void populate(ArrayBase& array, Bytes packed) {
    if constexpr (kind != ArrayKind::sparse) {
      auto& the_array = static_cast<ArrayOf<T>&>(array);
      const I bounds = bounds_in(packed);
      const auto arguments = skein::unpack<std::tuple<A...>>(packed.subspan(sizeof bounds));
      const std::int64_t size = BlockMap::linear(bounds, bounds).second;
      the_array.expect(static_cast<std::size_t>(size / pe_count() + 1));
      const auto construct = [&](const I& index) {
        std::apply([&](const A&... a) { the_array.construct_at_home(index, a...); }, arguments);
      };
      if constexpr (std::is_same_v<Map, BlockMap>) {
        const auto [first, last] = BlockMap::block(size, this_pe(), pe_count());
        for_each_index_at(bounds, first, last, construct);
      } else {
        for_each_index(bounds, [&](const I& index) {
          if (the_array.home_of(index) == this_pe()) construct(index);
        });
      }
    }
  }

  static ArrayInfo info;
};
template <ArrayKind kind, class T, class Map, class... A>
ArrayInfo ArrayMaker<kind, T, Map, A...>::info = register_array({make, populate, 0}, &info);

/// Returns the number of elements in those bounds; a negative bound, or an impossible number, ends the job.
std::uint64_t count_elements(std::span<const int> bounds, const std::type_info& type);

template <ArrayKind kind, class T, class Map, class... A>
Array<T> make_array(const typename T::IndexType& bounds, A&&... arguments) {
  using Arguments = std::tuple<Kept<A>...>;
  constexpr bool indices_fit = kind == ArrayKind::sparse || requires { T::IndexType::dimensions; };
  static_assert(!is_single<T>,
                "a class without an index, skein::Chare<C>, is in no array: skein::create<C>() makes its "
                "objects");
  static_assert(indices_fit || is_single<T>,
                "a dense array has indices of Index1 to Index6: elements whose index is a type of the "
                "program's are inserted into one of Job::sparse_array()");
  if constexpr (indices_fit) {
    static_assert(check_constructor<T, const Kept<A>&...>());
    std::uint64_t elements = 0;
    if constexpr (kind != ArrayKind::sparse) elements = count_elements(bounds.at, typeid(T));
    std::vector<std::byte> description(sizeof bounds);
    memcpy(description.data(), &bounds, sizeof bounds);
    append(description, pack(Arguments(std::forward<A>(arguments)...)));
    return Array<T>(create_array(ArrayMaker<kind, T, Map, Kept<A>...>::info, description, elements));
  }
}

/// Makes an array that is bound to one of elements of L.
template <class T, class L, class... A>
struct BoundMaker {
  using I = typename T::IndexType;

  static std::unique_ptr<ArrayBase> make(std::uint32_t number, Bytes packed) {
    const auto& leader = leader_of(packed);
    Shape<I> shape = leader.shape();
    shape.pinned = false;
    auto array = std::make_unique<ArrayOf<T>>(number, class_name(typeid(T)), shape);
    array->construct_bound_by([&array = *array, arguments = skein::unpack<std::tuple<A...>>(packed.subspan(
                                                    sizeof number))](const I& index) -> Element& {
      return std::apply([&](const A&... a) -> Element& { return array.construct(index, a...); }, arguments);
    });
    return array;
  }
  /// Makes an element for each element of the leader that is here.
  static void populate(ArrayBase& array, Bytes packed) {
    auto& leader = leader_of(packed);
    bind(array, leader);
    static_cast<ArrayOf<T>&>(array).expect(leader.elements().size());
    for (Element* const element : leader.elements())
      if (element) {
        birth.number = element->insertion;
        array.construct_bound(leader.index_of(*element)).moves = element->moves;
      }
  }

  static ArrayInfo info;

 private:
  static ArrayOf<L>& leader_of(Bytes packed) {
    std::uint32_t leader;
    memcpy(&leader, packed.data(), sizeof leader);
    return static_cast<ArrayOf<L>&>(array_number(leader));
  }
};
template <class T, class L, class... A>
ArrayInfo BoundMaker<T, L, A...>::info = register_array({make, populate, 0}, &info);

template <class T, class L, class... A>
Array<T> make_bound_array(const Array<L>& leader, A&&... arguments) {
  static_assert(std::is_same_v<typename T::IndexType, typename L::IndexType>,
                "arrays that are bound together have the same type of index");
  static_assert(check_constructor<T, const Kept<A>&...>());
  const std::uint32_t number = leader.number();
  std::vector<std::byte> description(sizeof number);
  memcpy(description.data(), &number, sizeof number);
  append(description, pack(std::tuple<Kept<A>...>(std::forward<A>(arguments)...)));
  return Array<T>(create_array(BoundMaker<T, L, Kept<A>...>::info, description, 0, number));
}

}  // namespace skein::chare
