// SPDX-License-Identifier: Apache-2.0
// The transfers between PEs that a decision makes.
#pragma once
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// Calls use(from, to, bytes) for each object that leaves its PE, and for each part that is split off to
/// another PE. Parts are cut off before anything moves, so the rest of an object has fewer bytes.
template <class Use>
void for_each_move(const Snapshot& snapshot, std::span<const PeIndex> pe_of, std::span<const Split> splits,
                   Use use) {
  const Objects& objects = snapshot.objects;
  std::vector<double> cut_off(splits.empty() ? 0 : objects.size(), 0);  // bytes
  for (const Split& split : splits) {
    const double bytes = split.fraction * static_cast<double>(objects.bytes[split.object]);
    cut_off[split.object] += bytes;
    const PeIndex from = objects.pe[split.object];
    if (from != split.pe) use(from, split.pe, static_cast<std::uint64_t>(bytes));
  }
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    if (pe_of[i] == objects.pe[i]) continue;
    const auto gone = cut_off.empty() ? 0 : static_cast<std::uint64_t>(cut_off[i]);
    use(objects.pe[i], pe_of[i], objects.bytes[i] - gone);
  }
}

}  // namespace skein::lb
