// SPDX-License-Identifier: Apache-2.0
// The order in which list scheduling takes the objects.
#pragma once
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

// The migratable objects of positive load, heaviest first, those of equal load in the order of the snapshot.
// Loads are compared in single precision: two that agree to 6e-8 of their size count as equal. O(n), a radix
// sort.
//
// Objects without load are left out on purpose: moving them gains nothing, so every strategy leaves them
// where they are.
std::vector<ObjectIndex> heaviest_first(const Objects& objects);

}  // namespace skein::lb
