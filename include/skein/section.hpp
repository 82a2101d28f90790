// SPDX-License-Identifier: Apache-2.0
// Sections: any of an array's elements, as the target of broadcasts and the members of reductions.
#pragma once

#include <vector>

#include "skein/array.hpp"
#include "skein/chare/section_base.hpp"

namespace skein {

/// The name of a section: a value that may be copied, sent and kept, like that of an array. Its members may
/// move; the tree over their PEs follows them. An element may be in any number of sections. A section lives
/// until it is released.
template <class T>
class Section {
 public:
  Section() = default;
  explicit Section(const chare::SectionName& name) : name_(name) {}

  Array<T> array() const { return Array<T>(name_.array); }
  std::size_t size() const { return name_.members; }
  const chare::SectionName& name() const { return name_; }

  /// Calls `method` of every member; does nothing if the section has no members. Broadcasts to a section have
  /// no order among each other, like calls. Callable from entry methods and from run()'s function.
  template <auto method, class... A>
  void broadcast(A&&... arguments) const {
    static_assert(chare::check_call<method, T, A...>);
    using Arguments = typename chare::Entry<method>::Arguments;
    chare::broadcast_to_section(name_, chare::EntryOf<method, T>::info,
                                pack(Arguments(std::forward<A>(arguments)...)));
  }

  /// Ends the section, on all PEs; its elements stay. Any holder of its name may call it, once: a second call
  /// does nothing. Callable from entry methods and from run()'s function; returns at once.
  ///
  /// A broadcast that reaches the PE where the section was made before the release still goes to all members;
  /// a later one goes to none. A reduction that is complete there by then goes to its callback; an incomplete
  /// one, and later contributions, are dropped. So release a section where the result of its last reduction
  /// arrives, or after its last broadcast. A member that contributes later begins to count anew, and keeps
  /// that count, some 50 bytes, as long as it lives.
  void release() const { chare::release_section(name_); }

 private:
  chare::SectionName name_;
};

/// Makes the section of these elements, which need not exist yet. An index that is given twice counts once;
/// the list may be empty. Messages to the section start at this PE. Callable from entry methods and from
/// run()'s function.
template <class T>
Section<T> section(const Array<T>& array, const std::vector<typename T::IndexType>& indices) {
  using I = typename T::IndexType;
  std::vector<std::byte> packed(indices.size() * sizeof(I));
  if (!packed.empty()) memcpy(packed.data(), indices.data(), packed.size());
  return Section<T>(chare::create_section(array.number(), std::move(packed), sizeof(I)));
}

/// Makes a section from `first`, in each dimension, to before `end` in steps of `stride`, which must be
/// positive.
template <class T>
Section<T> section(const Array<T>& array, const typename T::IndexType& first,
                   const typename T::IndexType& end, const typename T::IndexType& stride) {
  using I = typename T::IndexType;
  I counts;
  for (int i = 0; i < I::dimensions; ++i) {
    if (stride[i] <= 0)
      chare::fail("a section of " + chare::array_number(array.number()).name() + " has the stride " +
                  text_of(stride) + ": strides are positive");
    counts[i] = end[i] <= first[i] ? 0 : (end[i] - first[i] + stride[i] - 1) / stride[i];
  }
  std::vector<I> indices;
  for_each_index(counts, [&](I index) {
    for (int i = 0; i < I::dimensions; ++i) index[i] = first[i] + index[i] * stride[i];
    indices.push_back(index);
  });
  return section(array, indices);
}

/// Makes the section of the elements of a dense array for whose index the predicate is true.
template <class T, std::predicate<const typename T::IndexType&> P>
Section<T> section(const Array<T>& array, P predicate) {
  using I = typename T::IndexType;
  const auto& the_array = static_cast<const chare::ArrayOf<T>&>(chare::array_number(array.number()));
  std::vector<I> indices;
  for_each_index(the_array.dense_bounds(), [&](const I& index) {
    if (predicate(index)) indices.push_back(index);
  });
  return section(array, indices);
}

namespace pup {
template <class T>
struct Bitwise<Section<T>> : std::true_type {};
}  // namespace pup

}  // namespace skein
