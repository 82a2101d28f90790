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
/// Of node groups: index n is on the first PE of node n.
struct NodeMap {
  int operator()(const Index1& index, const Index1&, int) const { return first_pe_of_node(index[0]); }
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
        Shape<I>{bounds, home, kind != ArrayKind::sparse, kind == ArrayKind::group});
  }

  static void populate(ArrayBase& array, Bytes packed) {
    if constexpr (kind != ArrayKind::sparse) {
      auto& the_array = static_cast<ArrayOf<T>&>(array);
      I bounds;
      memcpy(&bounds, packed.data(), sizeof bounds);
      const auto arguments = unpack<std::tuple<A...>>(packed.subspan(sizeof bounds));
      the_array.expect(static_cast<std::size_t>(BlockMap::linear(bounds, bounds).second / pe_count() + 1));
      for_each_index(bounds, [&](const I& index) {
        const int home = the_array.home_of(index);
        if (home < 0 || home >= pe_count())
          fail("the map of " + the_array.name() + " gives the PE " + std::to_string(home) + " for " +
               text_of(index) + ": there are " + std::to_string(pe_count()));
        if (home != this_pe()) return;
        std::apply([&](const A&... a) { the_array.construct(index, a...); }, arguments);
      });
    }
  }

  static ArrayInfo info;
};
template <ArrayKind kind, class T, class Map, class... A>
ArrayInfo ArrayMaker<kind, T, Map, A...>::info = register_array({make, populate, 0}, &info);

/// In those bounds; more than could ever be, or a negative bound, ends the job.
template <class T, class I>
std::uint64_t count_elements(const I& bounds) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  std::uint64_t elements = 1;
  bool valid = true;
  for (int i = 0; i < I::dimensions; ++i) {
    valid = valid && bounds[i] >= 0;
    elements *= valid ? static_cast<std::uint64_t>(bounds[i]) : 0;
    valid = valid && elements <= most;  // before the next factor, of at most 2^31, could make it overflow
  }
  if (!valid)
    fail("an array of " + class_name(typeid(T)) + " has the bounds " + text_of(bounds) +
         ": none is negative, and there are at most 2^32 elements");
  return elements;
}

template <ArrayKind kind, class T, class Map, class... A>
Array<T> make_array(const typename T::IndexType& bounds, A&&... arguments) {
  using Arguments = std::tuple<Kept<A>...>;
  constexpr bool indices_fit = kind == ArrayKind::sparse || requires { T::IndexType::dimensions; };
  static_assert(indices_fit,
                "a dense array has indices of Index1 to Index6: elements whose index is a type of the "
                "program's are inserted into one of Job::sparse_array()");
  if constexpr (indices_fit) {
    static_assert(std::is_constructible_v<T, const Kept<A>&...>,
                  "no constructor of the class takes these arguments");
    std::uint64_t elements = 0;
    if constexpr (kind != ArrayKind::sparse) elements = count_elements<T>(bounds);
    std::vector<std::byte> description(sizeof bounds);
    memcpy(description.data(), &bounds, sizeof bounds);
    const std::vector<std::byte> packed = pack(Arguments(std::forward<A>(arguments)...));
    description.insert(description.end(), packed.begin(), packed.end());
    return Array<T>(create_array(ArrayMaker<kind, T, Map, Kept<A>...>::info, description, elements));
  }
}

/// How an array is made that is bound to one of elements of L.
template <class T, class L, class... A>
struct BoundMaker {
  using I = typename T::IndexType;

  static std::unique_ptr<ArrayBase> make(std::uint32_t number, Bytes packed) {
    const auto& leader = leader_of(packed);
    Shape<I> shape = leader.shape();
    shape.pinned = false;
    auto array = std::make_unique<ArrayOf<T>>(number, class_name(typeid(T)), shape);
    array->construct_bound_by([&array = *array, arguments = unpack<std::tuple<A...>>(packed.subspan(
                                                    sizeof number))](const I& index) -> Element& {
      return std::apply([&](const A&... a) -> Element& { return array.construct(index, a...); }, arguments);
    });
    return array;
  }
  /// An element for each that is here of the array it is bound to.
  static void populate(ArrayBase& array, Bytes packed) {
    auto& leader = leader_of(packed);
    bind(array, leader);
    array.elements().reserve(leader.elements().size());
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

void at_quiescence(const Destination& destination);
const std::vector<std::string>& program_arguments();

}  // namespace chare

/// The array that another is to be bound to.
template <class L>
struct BoundTo {
  Array<L> array;
};
template <class L>
BoundTo<L> bound_to(const Array<L>& array) {
  return {array};
}

/// Ends the job, on all PEs, with this exit status of run(). Calls that wait are dropped.
void exit(int status = 0);

/// The job, for the function given to run(). Arrays may be created there, on PE 0, and in entry methods that
/// run on PE 0.
class Job {
 public:
  int pes() const { return pe_count(); }
  /// The words of the command line behind the program's name, without those for the runtime (--skein.*).
  const std::vector<std::string>& arguments() const { return chare::program_arguments(); }

  /// A dense array: one element for each index from zero up to the bounds, constructed with the arguments.
  template <class T, class... A>
  Array<T> array(const typename T::IndexType& bounds, A&&... arguments) {
    return chare::make_array<chare::ArrayKind::dense, T, BlockMap>(bounds, std::forward<A>(arguments)...);
  }
  /// An array with the elements of another, for whose elements those with the same index stay where they go:
  /// `job.array<Forces>(bound_to(cells), ...)`. They are placed, moved and balanced as one, so
  /// `cells[index()].local()` is never null in entry methods of Forces, nor that of Forces in entry methods
  /// of cells once they have been told of it. In about_to_move() and just_moved() it may be. Elements come
  /// with insertions into the other array, constructed with these arguments, and end with its elements.
  template <class T, class L, class... A>
  Array<T> array(const BoundTo<L>& leader, A&&... arguments) {
    static_assert(std::is_same_v<typename T::IndexType, typename L::IndexType>,
                  "arrays that are bound together have the same type of index");
    static_assert(std::is_constructible_v<T, const chare::Kept<A>&...>,
                  "no constructor of the class takes these arguments");
    const std::uint32_t number = leader.array.number();
    std::vector<std::byte> description(sizeof number);
    memcpy(description.data(), &number, sizeof number);
    const std::vector<std::byte> packed = pack(std::tuple<chare::Kept<A>...>(std::forward<A>(arguments)...));
    description.insert(description.end(), packed.begin(), packed.end());
    return Array<T>(
        chare::create_array(chare::BoundMaker<T, L, chare::Kept<A>...>::info, description, 0, number));
  }
  /// The same, placed by a map: an object without members, like RoundRobinMap{}, whose
  /// `int operator()(const Index& index, const Index& bounds, int pes) const` gives the PE of an index.
  template <class T, class Map, class... A>
  Array<T> array_placed(Map, const typename T::IndexType& bounds, A&&... arguments) {
    using I = typename T::IndexType;
    static_assert(std::is_empty_v<Map>, "a map is called on every PE: it has no members");
    static_assert(std::is_invocable_r_v<int, Map, const I&, const I&, int>,
                  "a map gives the PE for an index, the array's bounds and the number of PEs");
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

  /// One element on each node, which stays on the node's first PE: that with index n is on node n. Elements
  /// on other PEs of the node reach it by calls as any.
  template <class T, class... A>
  Array<T> node_group(A&&... arguments) {
    static_assert(std::is_same_v<typename T::IndexType, Index1>,
                  "a node group's elements have an Index1: their node");
    return chare::make_array<chare::ArrayKind::group, T, NodeMap>(Index1(node_count()),
                                                                  std::forward<A>(arguments)...);
  }

  /// Calls back once when no entry method runs or waits and no message is under way.
  void at_quiescence(const Callback<void>& callback) { chare::at_quiescence(callback.destination()); }
};

/// Starts the PE, runs `begin` on PE 0, and goes on until nothing is left to do, on all PEs. Call it from
/// main() on every process and return what it returns: 0, or the status of exit(). The options of `skein run`
/// are read from argv, written --skein.lb=refine and so on; Job::arguments() are the other words. A job that
/// fails ends in here.
int run(int argc, char** argv, const std::function<void(Job&)>& begin);

}  // namespace skein
