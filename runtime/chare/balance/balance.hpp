// SPDX-License-Identifier: Apache-2.0
// LB steps of a native program. They are made when the job is quiescent, so that no call is under way while
// elements move: by itself, or because calls are put aside (hold_policy.hpp, called_steps.hpp). Where all PEs
// decide, each learns from the snapshot where all elements go; where one decides for all (--lb-mode), the
// others need not know of elements that are not theirs, and homes are told of moves, as when elements move by
// themselves. But which elements are divided into what all PEs know: so they have the snapshot, wherever it
// is decided, once there is an array whose elements can be.
#pragma once

#include "skein/chare/array_base.hpp"
#include "skein/lb/mode.hpp"

namespace skein::chare {

/// LB steps of this job balance elements. Once, on every PE.
void balance_elements(const lb::Mode& mode);

/// With Settings::repacking: before anything else of the element that is not queued yet, with those that move
/// along. What cannot move, or is pinned, stays as it is.
void repack_after_method(Element& element);

}  // namespace skein::chare
