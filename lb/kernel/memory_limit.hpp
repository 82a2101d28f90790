// SPDX-License-Identifier: Apache-2.0
// Memory as a limit: an assignment is changed where it would put more bytes on a PE than Pes::memory_bytes
// allows.
//
// What is kept, whatever the assignment was: no PE holds more than the greater of its limit and what it holds
// now; pinned objects stay. So where the present placement keeps the limits, the result does. A PE that is
// above its limit now gives away what fits elsewhere, largest objects first, before balance is thought of;
// what fits nowhere stays.
//
// First the assignment is repaired: PEs above their limit send objects away, those first that were to come
// there, and each goes to the PE with room that finishes first. Packing is hard, and where this does not find
// a place for all, the moves of the assignment are applied to the present placement one after the other,
// heaviest load first, as far as they fit.
#pragma once
#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// `never_worse`: returns the present placement when the changed assignment would finish later and the
/// present one keeps the limits. An assignment that keeps the limits is returned as it is. O(n) then, else
/// O(n log n + changed objects (PEs with room looked at + log PEs)).
Assignment keep_memory_limit(const Snapshot& snapshot, Assignment pe_of, bool never_worse);

/// Drops the parts that do not fit beside the assignment, in their order; each stays with its object, whose
/// memory is counted in full, since parts leave only after others have come.
void keep_memory_limit(const Snapshot& snapshot, const Assignment& pe_of, std::vector<Split>& splits);

}  // namespace skein::lb
