// SPDX-License-Identifier: Apache-2.0
// Names of arrays and elements: small values that may be copied, sent and kept anywhere. Calls through them
// return at once; the entry method runs later, where the element is. Their arguments must convert to the
// method's parameters, or the call does not compile.
//
// Entry methods and the function given to run() may call all functions here.
#pragma once

#include "skein/chare/array_of.hpp"
#include "skein/chare/constructor_arguments.hpp"
#include "skein/single.hpp"

namespace skein {

template <class T>
class Array;
template <class T>
class PrioritizedRef;
template <class T>
class PrioritizedArray;

/// One of the elements that an element was divided into.
template <class I>
struct Part {
  I index;
  double share;  ///< fraction of the load that the undivided element would have
};

/// The name of one element.
template <class T>
class ElementRef {
 public:
  using Index = typename T::IndexType;
  ElementRef() = default;
  ElementRef(std::uint32_t array, const Index& index) : array_(array), index_(index) {}

  const Index& index() const { return index_; }
  std::uint32_t array_number() const { return array_; }

  /// Calls `method` of the element. Calls of fewer than 16 KiB from one PE to another arrive in their order
  /// while the element does not move; otherwise there is no order.
  template <auto method, class... A>
  void send(A&&... arguments) const {
    static_assert(chare::check_call<method, T, A...>);
    send_message(*chare::EntryOf<method, T>::make(std::forward<A>(arguments)...), 0);
  }

  /// Gives calls a priority: cells[i].prioritized(-1).send<&Cell::take>(x). The calls that wait on a PE run
  /// in the order of their priorities, the smallest number first, and equal ones in the order of arrival.
  /// Other calls have priority 0.
  auto prioritized(std::int64_t priority) const { return PrioritizedRef<T>(*this, priority); }
  /// Lets calls run before all others.
  auto expedited() const { return prioritized(chare::kMostUrgent); }

  /// Calls the method now, as an ordinary call, if the element is on this PE. The time counts as the
  /// caller's. If the method returns a value, gives it as a std::optional, which is empty if the element is
  /// elsewhere.
  template <auto method, class... A>
  auto call(A&&... arguments) const {
    static_assert(chare::check_call<method, T, A...>);
    using Result = chare::InlineResult<method>;
    if (chare::ArrayOf<T>* const known = array_if_known())
      return known->template call<method>(index_, std::forward<A>(arguments)...);
    send<method>(std::forward<A>(arguments)...);
    if constexpr (!std::is_void_v<Result>) return std::optional<Result>();
  }

  /// Calls `method`, which may be threaded or a flow, and returns the Future of its result (future.hpp).
  template <auto method, class... A>
  auto ask(A&&... arguments) const;

  /// Creates the element, with these arguments of its constructor, on the PE that the map gives or on `pe`.
  /// Calls that arrive earlier wait for it. The element gets exactly the broadcasts to the array that are
  /// made after its insertion: from one PE in the order of the two calls if the arguments are shorter than 16
  /// KiB. It has passed as many sync points as the element that creates it, and takes part in all later ones.
  template <class... A>
  void insert(A&&... arguments) const {
    insert_on(chare::kPeOfMap, std::forward<A>(arguments)...);
  }
  template <class... A>
  void insert_on(int pe, A&&... arguments) const {
    insert_with(0, pe, std::forward<A>(arguments)...);
  }

  /// Returns the object if it is on this PE, else null. Valid until the element moves.
  T* local() const {
    chare::ArrayOf<T>* const known = array_if_known();
    return known ? known->find(index_) : nullptr;
  }

 private:
  friend class PrioritizedRef<T>;
  template <class... A>
  void insert_with(std::int64_t priority, int pe, A&&... arguments) const;
  chare::Bytes packed_index() const { return {reinterpret_cast<const std::byte*>(&index_), sizeof index_}; }
  /// Returns null if this PE has not heard of the array yet.
  chare::ArrayOf<T>* array_if_known() const {
    return static_cast<chare::ArrayOf<T>*>(chare::known_array(array_));
  }
  void send_message(chare::Message& message, std::int64_t priority) const {
    if (chare::ArrayOf<T>* const known = array_if_known()) [[likely]]
      known->send(index_, message, priority);
    else
      chare::send_before_array(array_, packed_index(), message, priority);
  }
  std::uint32_t array_ = chare::kNoArray;
  Index index_{};
};

/// The name of an element, with the priority of calls.
template <class T>
class PrioritizedRef {
 public:
  PrioritizedRef(const ElementRef<T>& element, std::int64_t priority)
      : element_(element), priority_(priority) {}

  template <auto method, class... A>
  void send(A&&... arguments) const {
    static_assert(chare::check_call<method, T, A...>);
    element_.send_message(*chare::EntryOf<method, T>::make(std::forward<A>(arguments)...), priority_);
  }
  /// Calls `method`, and returns the Future of its result, like ElementRef::ask().
  template <auto method, class... A>
  auto ask(A&&... arguments) const;
  /// Creates the element like ElementRef::insert(), but after the calls that precede it by priority; without
  /// a priority the element is constructed as soon as its PE hears of it, between two calls.
  template <class... A>
  void insert(A&&... arguments) const {
    insert_on(chare::kPeOfMap, std::forward<A>(arguments)...);
  }
  template <class... A>
  void insert_on(int pe, A&&... arguments) const {
    element_.insert_with(priority_, pe, std::forward<A>(arguments)...);
  }

  const ElementRef<T>& element() const { return element_; }
  std::int64_t priority() const { return priority_; }

 private:
  ElementRef<T> element_;
  std::int64_t priority_;
};

/// The name of an array. Its class may be incomplete where the name is kept, so that classes can call each
/// other.
template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(std::uint32_t number) : number_(number) {}
  std::uint32_t number() const { return number_; }

  template <class U = T>
  ElementRef<U> operator[](const typename U::IndexType& index) const {
    return {number_, index};
  }

  /// Returns the elements that this element is divided into, itself first; only itself while it is whole. The
  /// answer is equal on all PEs, and changes at LB steps only.
  template <class U = T>
  std::vector<Part<typename U::IndexType>> parts(const typename U::IndexType& index) const {
    std::vector<Part<typename U::IndexType>> parts;
    const chare::Bytes packed(reinterpret_cast<const std::byte*>(&index), sizeof index);
    for (const chare::PackedPart& part : chare::parts_of(number_, packed)) {
      parts.push_back({index, part.share});
      memcpy(&parts.back().index, part.index.data(), sizeof index);
    }
    if (parts.empty()) parts.push_back({index, 1});
    return parts;
  }

  /// Calls `method` of every element. All elements get the broadcasts to one array in one order.
  template <auto method, class... A>
  void broadcast(A&&... arguments) const {
    static_assert(chare::check_call<method, T, A...>);
    prioritized(0).template broadcast<method>(std::forward<A>(arguments)...);
  }
  /// Gives broadcasts a priority: array.prioritized(-1).broadcast<&Cell::take>(x). Earlier broadcasts to the
  /// array run before it, whatever their own priorities.
  auto prioritized(std::int64_t priority) const { return PrioritizedArray<T>(number_, priority); }
  /// Lets broadcasts run before all other calls.
  auto expedited() const { return prioritized(chare::kMostUrgent); }

 private:
  std::uint32_t number_ = chare::kNoArray;
};

/// The name of an array, with the priority of broadcasts.
template <class T>
class PrioritizedArray {
 public:
  PrioritizedArray(std::uint32_t number, std::int64_t priority) : number_(number), priority_(priority) {}

  template <auto method, class... A>
  void broadcast(A&&... arguments) const {
    static_assert(chare::check_call<method, T, A...>);
    static_assert(!chare::is_single<T>, "chares of no array get no broadcasts: call each");
    using Arguments = typename chare::Entry<method>::Arguments;
    static_assert(std::is_copy_constructible_v<Arguments>,
                  "every element gets a copy of a broadcast's arguments");
    chare::broadcast_call(number_, chare::EntryOf<method, T>::info,
                          pack(Arguments(std::forward<A>(arguments)...)), priority_);
  }

 private:
  std::uint32_t number_;
  std::int64_t priority_;
};

namespace chare {

/// The type in which a constructor's argument travels: its own, except that C strings travel as std::string.
template <class A>
inline constexpr bool is_c_text =
    std::is_same_v<std::decay_t<A>, const char*> || std::is_same_v<std::decay_t<A>, char*>;
template <class A>
using Kept = std::conditional_t<is_c_text<A>, std::string, std::remove_cvref_t<A>>;

/// Makes an element on the PE where the call arrives, from array, sync points passed, index and arguments.
template <class T, class... A>
struct Creation {
  static void create(Bytes packed) {
    std::uint32_t array = 0, sync_points = 0;
    typename T::IndexType index{};
    std::tuple<A...> arguments;
    pup::Unpacker ar(packed);
    ar& array& sync_points;
    ar.raw(&index, sizeof index);
    ar& arguments;
    auto& the_array = static_cast<ArrayOf<T>&>(array_number(array));
    std::apply([&](A&... a) { the_array.construct(index, std::move(a)...).sync_points = sync_points; },
               arguments);
  }
  static FunctionInfo info;
};
template <class T, class... A>
FunctionInfo Creation<T, A...>::info = register_function({create, 0}, &info);

/// Packs the arguments of Creation::create().
template <class T, class... A>
std::vector<std::byte> pack_creation(std::uint32_t array, const typename T::IndexType& index,
                                     A&... arguments) {
  const std::tuple<std::conditional_t<is_c_text<A>, std::string, const Kept<A>&>...> values(arguments...);
  std::uint32_t sync_points = calls_here.running.element ? calls_here.running.element->sync_points : 0;
  const auto write = [&](auto& ar) {
    ar& array& sync_points;
    ar.raw(const_cast<typename T::IndexType*>(&index), sizeof index);
    std::apply([&](const auto&... value) { (void)(ar & ... & value); }, values);
  };
  pup::Sizer sizer;
  write(sizer);
  std::vector<std::byte> packed(sizer.offset());
  pup::Packer packer(packed);
  write(packer);
  return packed;
}

}  // namespace chare

template <class T>
template <class... A>
void ElementRef<T>::insert_with(std::int64_t priority, int pe, A&&... arguments) const {
  static_assert(!chare::is_single<T>, "chares of no array are made by skein::create<T>(arguments...)");
  static_assert(chare::check_constructor<T, chare::Kept<A>...>());
  const std::vector<std::byte> packed = chare::pack_creation<T>(array_, index_, arguments...);
  chare::insert_element(array_, pe, chare::Creation<T, chare::Kept<A>...>::info, packed, sizeof index_,
                        priority);
}

namespace pup {
template <int n>
struct Bitwise<Index<n>> : std::true_type {};
template <class T>
struct Bitwise<Array<T>> : std::true_type {};
template <class T>
struct Bitwise<ElementRef<T>> : std::true_type {};
}  // namespace pup

}  // namespace skein
