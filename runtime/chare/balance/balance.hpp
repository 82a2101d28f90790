// SPDX-License-Identifier: Apache-2.0
// LB steps of a native program. They are made when the job is quiescent, so that no call is under way while
// elements move: by itself, or because calls are put aside (hold_policy.hpp, called_steps.hpp). If all PEs
// decide, each learns from the snapshot where all elements go; if one decides for all (--lb-mode), the others
// know only their own elements, and homes are told of moves, as when elements move by themselves. But all PEs
// know which elements are divided into what: so all get the snapshot, wherever it is decided, once an array
// has elements that can be divided.
#pragma once

#include "skein/chare/array_base.hpp"
#include "skein/lb/mode.hpp"

namespace skein::chare {

/// Makes LB steps of this job balance elements. On every PE, once.
void balance_elements(const lb::Mode& mode);

/// Makes the element's family anew in place (Settings::repacking): before any call of the element that is not
/// queued yet. Elements that cannot move, or are pinned, stay as they are.
void repack_after_method(Element& element);

}  // namespace skein::chare
