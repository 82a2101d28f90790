// SPDX-License-Identifier: Apache-2.0
// Spreads each bit of a number over all of them, for fingerprints of results.
#pragma once

#include <cstdint>

namespace apps {

/// Returns the bits mixed by the finalizer of MurmurHash3, with the constants of SplitMix64.
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace apps
