// SPDX-License-Identifier: Apache-2.0
// A native program: run() starts the PEs and ends when nothing is left to do.
#pragma once

#include <functional>
#include <typeinfo>

#include "skein/chare.hpp"

namespace skein {

/// Where the elements of an array are at first, and whose home a PE is: functions of index, bounds and number
/// of PEs. Blocks of neighbours in the order of the last coordinate, the larger blocks first.
struct BlockMap {
  template <class I>
  int operator()(const I& index, const I& bounds, int pes) const {
    const auto [place, size] = linear(index, bounds);
    return size == 0 ? 0 : static_cast<int>(place * pes / size);
  }
  template <class I>
  static std::pair<std::int64_t, std::int64_t> linear(const I& index, const I& bounds) {
    std::int64_t place = 0, size = 1;
    for (int i = 0; i < I::dimensions; ++i) {
      place = place * bounds[i] + index[i];
      size *= bounds[i];
    }
    return {place, size};
  }
};
struct RoundRobinMap {
  template <class I>
  int operator()(const I& index, const I& bounds, int pes) const {
    return static_cast<int>(BlockMap::linear(index, bounds).first % pes);
  }
};
/// For arrays without bounds.
struct HashMap {
  template <class I>
  int operator()(const I& index, const I&, int pes) const {
    return static_cast<int>(hash_of(index) % static_cast<std::uint64_t>(pes));
  }
};

namespace chare {

enum class ArrayKind { dense, sparse, group };

std::string class_name(const std::type_info& type);

/// How an array is made from what its creator packed: bounds, then the arguments of the elements.
template <ArrayKind kind, class T, class Map, class... A>
struct ArrayMaker {
  using I = typename T::IndexType;
  using Description = std::tuple<I, A...>;

  static int home(const I& index, const I& bounds, int pes) { return Map{}(index, bounds, pes); }

  static std::unique_ptr<ArrayBase> make(std::uint32_t number, Bytes packed) {
    I bounds;
    memcpy(&bounds, packed.data(), sizeof bounds);
    return std::make_unique<ArrayOf<T>>(
        number, class_name(typeid(T)),
        typename ArrayOf<T>::Shape{bounds, home, kind != ArrayKind::sparse, kind == ArrayKind::group});
  }

  static void populate(ArrayBase& array, Bytes packed) {
    if constexpr (kind != ArrayKind::sparse) {
      auto& the_array = static_cast<ArrayOf<T>&>(array);
      I bounds;
      memcpy(&bounds, packed.data(), sizeof bounds);
      const auto arguments = unpack<std::tuple<A...>>(packed.subspan(sizeof bounds));
      the_array.expect(static_cast<std::size_t>(BlockMap::linear(bounds, bounds).second / pe_count() + 1));
      for_each_index(bounds, [&](const I& index) {
        if (the_array.home_of(index) != this_pe()) return;
        std::apply([&](const A&... a) { the_array.construct(index, a...); }, arguments);
      });
    }
  }

  static ArrayInfo info;
};
template <ArrayKind kind, class T, class Map, class... A>
ArrayInfo ArrayMaker<kind, T, Map, A...>::info = register_array({make, populate, 0}, &info);

template <ArrayKind kind, class T, class Map, class... A>
Array<T> make_array(const typename T::IndexType& bounds, A&&... arguments) {
  using Arguments = std::tuple<std::remove_cvref_t<A>...>;
  static_assert(std::is_constructible_v<T, const std::remove_cvref_t<A>&...>,
                "no constructor of the class takes these arguments");
  std::uint64_t elements = 0;
  if constexpr (kind != ArrayKind::sparse)
    elements = static_cast<std::uint64_t>(BlockMap::linear(bounds, bounds).second);
  std::vector<std::byte> description(sizeof bounds);
  memcpy(description.data(), &bounds, sizeof bounds);
  const std::vector<std::byte> packed = pack(Arguments(std::forward<A>(arguments)...));
  description.insert(description.end(), packed.begin(), packed.end());
  return Array<T>(
      create_array(ArrayMaker<kind, T, Map, std::remove_cvref_t<A>...>::info, description, elements));
}

void at_quiescence(const Destination& destination);

}  // namespace chare

/// Ends the job, on all PEs, with this exit status of run(). Calls that wait are dropped.
void exit(int status = 0);

/// The job, for the function given to run(). Arrays may be created there, on PE 0, and in entry methods that
/// run on PE 0.
class Job {
 public:
  int pes() const { return pe_count(); }

  /// A dense array: one element for each index from zero up to the bounds, constructed with the arguments.
  template <class T, class... A>
  Array<T> array(const typename T::IndexType& bounds, A&&... arguments) {
    return chare::make_array<chare::ArrayKind::dense, T, BlockMap>(bounds, std::forward<A>(arguments)...);
  }
  /// The same, placed by a map: an object without members, like RoundRobinMap{}.
  template <class T, class Map, class... A>
  Array<T> array_placed(Map, const typename T::IndexType& bounds, A&&... arguments) {
    static_assert(std::is_empty_v<Map>, "a map is called on every PE: it has no members");
    return chare::make_array<chare::ArrayKind::dense, T, Map>(bounds, std::forward<A>(arguments)...);
  }
  /// An array without elements and without bounds; they are inserted: array[index].insert(arguments...).
  template <class T>
  Array<T> sparse_array() {
    return chare::make_array<chare::ArrayKind::sparse, T, HashMap>({});
  }
  /// One element on each PE, which stays there: that with index p is on PE p.
  template <class T, class... A>
  Array<T> group(A&&... arguments) {
    static_assert(std::is_same_v<typename T::IndexType, Index1>,
                  "a group's elements have an Index1: their PE");
    return chare::make_array<chare::ArrayKind::group, T, BlockMap>(Index1(pe_count()),
                                                                   std::forward<A>(arguments)...);
  }

  /// Calls back once when no entry method runs or waits and no message is under way.
  void at_quiescence(const Callback<void>& callback) { chare::at_quiescence(callback.destination()); }
};

/// Starts the PE, runs `begin` on PE 0, and goes on until nothing is left to do, on all PEs. Call it from
/// main() on every process and return what it returns: 0, or the status of exit(). The options of `skein run`
/// are taken out of argv, written --skein.lb=refine and so on. A job that fails ends in here.
int run(int argc, char** argv, const std::function<void(Job&)>& begin);

}  // namespace skein
