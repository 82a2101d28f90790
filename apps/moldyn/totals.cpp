// SPDX-License-Identifier: Apache-2.0
#include "totals.hpp"

#include <bit>

namespace moldyn {
namespace {

/// The finalizer of MurmurHash3, with the constants of SplitMix64.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t fingerprint(const FinalAtom& atom) {
  std::uint64_t hash = mixed(atom.atom.id + 1);
  for (const Vec3& vector : {atom.atom.x, atom.atom.v, atom.force})
    for (int axis = 0; axis < 3; ++axis) hash = mixed(hash + std::bit_cast<std::uint64_t>(vector[axis]));
  return hash;
}

}  // namespace moldyn
