// SPDX-License-Identifier: Apache-2.0
// Joins values of all PEs into one, in an order that does not depend on the MPI underneath: sums are the same
// bit by bit as where one process adds the values in that order.
#pragma once

#include <cstddef>
#include <type_traits>

namespace skein::net {

/// Joins `next` into `into`: two values of equal size, suitably aligned.
using Join = void (*)(void* into, const void* next);

/// Joins values of `bytes` bytes up a binomial tree: first PE p joins the value of p + 1, for even p; then
/// that of p + 2, for each fourth; and so on, `next` being always of the PEs behind. All get the result.
/// Collective; does not poll. Each PE sends at most log2(PEs) messages, and receives as many.
void join_on_all(void* value, std::size_t bytes, Join join);

/// Combines the values of all PEs by `into.add(next)`; every PE gets the result.
template <class T>
void add_on_all(T& value) {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));
  join_on_all(&value, sizeof value,
              [](void* into, const void* next) { static_cast<T*>(into)->add(*static_cast<const T*>(next)); });
}

}  // namespace skein::net
