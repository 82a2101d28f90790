// SPDX-License-Identifier: Apache-2.0
// random: each object on a PE drawn uniformly. Looks at nothing; with many objects a PE the imbalance falls
// as 1/sqrt(objects per PE), and nearly everything moves. For tests of moving, and as the yardstick of "no
// thought at all". O(n).
#include "lb/kernel/random.hpp"
#include "lb/strategies/define.hpp"

namespace skein::lb {

std::span<const Key> random_keys() { return {}; }

Assignment assign_random(const Snapshot& snapshot, const Options&, std::uint64_t seed) {
  const Objects& objects = snapshot.objects;
  const auto pe_count = static_cast<std::uint32_t>(snapshot.pe_count());
  Random random(seed);
  Assignment pe_of(objects.size());
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    pe_of[i] = objects.migratable[i] ? random.below(pe_count) : objects.pe[i];
  }
  return pe_of;
}

}  // namespace skein::lb
