// SPDX-License-Identifier: Apache-2.0
// none: keeps the present placement. The baseline that every other strategy has to beat. O(n) to copy.
#include "lb/strategies/define.hpp"

namespace skein::lb {

std::span<const Key> none_keys() { return {}; }

Assignment assign_none(const Snapshot& snapshot, const Options&, std::uint64_t) {
  return snapshot.objects.pe;
}

}  // namespace skein::lb
