// SPDX-License-Identifier: Apache-2.0
// Memory limits: changes an assignment that would put more bytes on a PE than Pes::memory_bytes allows.
//
// For any assignment: no PE then holds more than the greater of its limit and what it holds now; pinned
// objects stay. So if the present placement keeps the limits, the result does. A PE above its limit now gives
// away objects that fit elsewhere, the largest first, before balance counts; objects that fit nowhere stay.
//
// First the assignment is repaired: PEs above their limit send objects away, arriving ones first, each to the
// PE with room that finishes first. Packing is hard: if this does not find a place for all, the assignment's
// moves are applied to the present placement one after the other, heaviest load first, as far as they fit.
#pragma once
#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// Returns the assignment changed to keep the limits, or unchanged if it keeps them. With `never_worse`,
/// returns the present placement if the changed assignment would finish later and the present one keeps the
/// limits. O(n) if unchanged, else O(n log n + changed objects (PEs with room looked at + log PEs)).
Assignment keep_memory_limit(const Snapshot& snapshot, Assignment pe_of, bool never_worse);

/// Drops, in their order, the parts that do not fit beside the assignment; each stays with its object, whose
/// memory counts in full, since parts leave only after others have come.
void keep_memory_limit(const Snapshot& snapshot, const Assignment& pe_of, std::vector<Split>& splits);

}  // namespace skein::lb
