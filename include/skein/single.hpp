// SPDX-License-Identifier: Apache-2.0
// Names of chares that belong to no array: struct Solver : skein::Chare<Solver>. skein::create() makes them
// (create.hpp).
#pragma once

#include "skein/index.hpp"

namespace skein {

/// A name, given once in a job. Calls go to the home until the place of the chare is known.
struct Single {
  std::int32_t home = -1, made_on = -1;  ///< PEs
  std::uint64_t number = 0;              ///< among the chares made on that PE
  bool operator==(const Single&) const = default;
  auto operator<=>(const Single&) const = default;
};
/// Writes "{5 of PE 2}".
std::ostream& operator<<(std::ostream& out, const Single& single);

namespace chare {
/// True if the class's objects belong to no array.
template <class T>
inline constexpr bool is_single = std::is_same_v<typename T::IndexType, Single>;
}  // namespace chare

}  // namespace skein
