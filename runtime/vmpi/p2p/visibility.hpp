// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

/// Whether this PE can read the data of a send that a rank on `pe` has under way, of whatever datatype, at
/// the addresses that they have there: both are on one node, the arena is node-shared, and the request, the
/// data and the datatype are in parts of a slot that are (program text and constants are mapped by each PE
/// for itself). Looks into the request once that is known of it.
bool seen_from_here(int pe, const Request& send);

}  // namespace skein::vmpi
