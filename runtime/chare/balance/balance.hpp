// SPDX-License-Identifier: Apache-2.0
// LB steps of a native program. They are made when the job is quiescent, so that no call is under way while
// elements move: by itself, or because calls are put aside (hold_policy.hpp, called_steps.hpp). Where all PEs
// decide, each learns from the snapshot where all elements go; where one decides for all (--lb-mode), the
// others need not know of elements that are not theirs, and homes are told of moves, as when elements move by
// themselves. But which elements are divided into what all PEs know: so they have the snapshot, wherever it
// is decided, once there is an array whose elements can be.
#pragma once

#include "skein/lb/mode.hpp"

namespace skein::chare {

/// LB steps of this job balance elements. Once, on every PE.
void balance_elements(const lb::Mode& mode);

}  // namespace skein::chare
