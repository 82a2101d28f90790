// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "skein/index.hpp"

namespace skein::chare {

template <index_type I>
using HomeFunction = int (*)(const I& index, const I& bounds, int pes);

/// Which indices the elements of an array have, and where they are at home.
template <index_type I>
struct Shape {
  I bounds{};  ///< of a dense array
  HomeFunction<I> home = nullptr;
  bool dense = false;
  bool pinned = false;  ///< the array is a group

  /// Outside the bounds. A sparse array has none, and neither has one with indices of the program's own.
  bool outside(const I& index) const {
    if constexpr (requires { I::dimensions; })
      for (int i = 0; dense && i < I::dimensions; ++i)
        if (index[i] < 0 || index[i] >= bounds[i]) return true;
    return false;
  }
};

}  // namespace skein::chare
