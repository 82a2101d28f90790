// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::vmpi {

/// Whether this PE can read, at the same address, what a rank on `pe` has at `address`: both are on one node,
/// the arena is node-shared, and the address is in a part of a slot that is (program text and constants are
/// mapped by each PE for itself).
bool seen_from_here(int pe, const void* address);

/// Tells how to recognise addresses that each PE maps for itself. Once, at start.
void set_private_mapping_test(bool (*mapped_privately)(const void* address));

}  // namespace skein::vmpi
