// SPDX-License-Identifier: Apache-2.0
// A cache of the PEs of elements that were asked for recently. Repeated calls to the same elements mostly
// find the PE here, which costs less than looking up the element's place and, where that is unknown, its
// home.
#pragma once

#include <array>

#include "skein/index.hpp"

namespace skein::chare {

template <index_type I, std::size_t slots = 1024>
class RecentPes {
 public:
  /// Returns the result of `look_up(index)`, or its earlier result at the same Places::version().
  template <class LookUp>
  [[gnu::always_inline]] int of(const I& index, std::uint64_t version, LookUp look_up) {
    Known& known = known_[slot_of(index)];
    if (known.version == version && known.index == index) [[likely]]
      return known.pe;
    return ask(known, index, version, look_up);
  }

 private:
  static std::size_t slot_of(const I& index) {
    if constexpr (requires { I::dimensions; }) {
      unsigned at = 0;
      for (int i = 0; i < I::dimensions; ++i) at = at * 31 + static_cast<unsigned>(index[i]);
      return at % slots;
    } else {
      return hash_of(index) % slots;
    }
  }
  struct Known {
    I index{};
    std::int32_t pe = -1;
    std::uint64_t version = 0;  ///< 0: none
  };
  template <class LookUp>
  /// Takes the index by value: an object passed by reference is not kept in registers.
  [[gnu::noinline]] static int ask(Known& known, I index, std::uint64_t version, LookUp look_up) {
    const int pe = look_up(index);
    known = {index, pe, version};
    return pe;
  }

  std::array<Known, slots> known_;
};

}  // namespace skein::chare
