// SPDX-License-Identifier: Apache-2.0
// Values of all PEs joined into one, in an order that does not depend on the MPI underneath: so what is added
// up is the same bit by bit as where one process adds it up in that order.
#pragma once

#include <cstddef>
#include <type_traits>

namespace skein::net {

/// `join(into, next)` for two values of `bytes` bytes each, suitably aligned.
using Join = void (*)(void* into, const void* next);

/// Up a binomial tree: first PE p joins what p + 1 has, for even p; then what p + 2 has, for each fourth; and
/// so on, `next` being always of the PEs behind. All get the result. Collective; polls nothing. At most log2
/// PEs messages there and as many back, on any PE.
void join_on_all(void* value, std::size_t bytes, Join join);

/// Combines the values of all PEs by `into.add(next)`; every PE gets the result.
template <class T>
void add_on_all(T& value) {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
  join_on_all(&value, sizeof value,
              [](void* into, const void* next) { static_cast<T*>(into)->add(*static_cast<const T*>(next)); });
}

}  // namespace skein::net
