// SPDX-License-Identifier: Apache-2.0
// Bodies. Units are such that the gravitational constant is 1.
#pragma once

#include <cstdint>

#include "apps/common/vec3.hpp"

namespace barneshut {

using apps::Vec3;

/// A plain struct, so that its bytes can be sent.
struct Body {
  std::uint64_t id = 0;   ///< unique
  std::uint64_t key = 0;  ///< of its place: Root::key_of()
  double mass = 0;
  Vec3 x, v;
  Vec3 a;                          ///< acceleration at x
  double potential = 0;            ///< of the others at x, for each unit of mass
  std::uint64_t interactions = 0;  ///< with bodies and cells, when `a` was computed
};

/// A body as others are attracted by it.
struct Point {
  std::uint64_t id = 0;
  double mass = 0;
  Vec3 x;
};

/// Compares by the order that bodies have everywhere, so that sums have one order: bodies of a cell are
/// neighbours in it.
inline bool in_key_order(const Body& a, const Body& b) {
  return a.key != b.key ? a.key < b.key : a.id < b.id;
}

}  // namespace barneshut
