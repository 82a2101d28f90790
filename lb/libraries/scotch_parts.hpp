// SPDX-License-Identifier: Apache-2.0
// Code that the modules around Scotch and PT-Scotch share.
#pragma once
// scotch.h uses FILE without including its declaration.
#include <scotch.h>

#include "lb/libraries/partitioner.hpp"

namespace skein::lb {

/// A Scotch structure with its exit function.
template <class T, void (*Exit)(T*)>
struct Owned {
  T value;
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { Exit(&value); }
};

/// A separate context, so that neither other calls nor other threads change the random numbers.
struct Context : Owned<SCOTCH_Context, SCOTCH_contextExit> {
  explicit Context(std::uint32_t seed) {
    SCOTCH_contextInit(&value);
    SCOTCH_contextThreadSpawn(&value, 1, nullptr);
    SCOTCH_contextOptionSetNum(&value, SCOTCH_OPTIONNUMDETERMINISTIC, 1);
    SCOTCH_contextRandomClone(&value);
    SCOTCH_contextRandomSeed(&value, static_cast<SCOTCH_Num>(seed >> 1));
    SCOTCH_contextRandomReset(&value);
  }
};

inline SCOTCH_Num flags_of(Flavour flavour) {
  switch (flavour) {
    case Flavour::quality:
      return SCOTCH_STRATQUALITY;
    case Flavour::balance:
      return SCOTCH_STRATBALANCE;
    case Flavour::speed:
      return SCOTCH_STRATSPEED;
    case Flavour::recursive:
      return SCOTCH_STRATRECURSIVE;
    default:
      return SCOTCH_STRATDEFAULT;
  }
}

}  // namespace skein::lb
