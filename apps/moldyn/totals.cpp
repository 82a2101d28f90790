// SPDX-License-Identifier: Apache-2.0
#include "totals.hpp"

#include <bit>

#include "apps/common/mixed.hpp"

namespace moldyn {

using apps::mixed;
std::uint64_t fingerprint(const FinalAtom& atom) {
  std::uint64_t hash = mixed(atom.atom.id + 1);
  for (const Vec3& vector : {atom.atom.x, atom.atom.v, atom.force})
    for (int axis = 0; axis < 3; ++axis) hash = mixed(hash + std::bit_cast<std::uint64_t>(vector[axis]));
  return hash;
}

}  // namespace moldyn
