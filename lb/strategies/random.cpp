// SPDX-License-Identifier: Apache-2.0
// random: each object goes to a PE drawn uniformly. Looks at nothing; with many objects a PE the imbalance
// falls as 1/sqrt(objects per PE), and nearly everything moves. For tests of moving, and as a baseline. O(n).
#include "lb/kernel/random.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/parallel.hpp"

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

/// Draws for each object the number that belongs to its index among all objects.
Assignment assign_part_random(const SnapshotPart& part, const Options&, std::uint64_t seed, Team& team) {
  const Objects& objects = part.objects;
  const auto pe_count = static_cast<std::uint32_t>(part.pe_count());
  Random random = Random::at(seed, part.first[team.rank()]);
  Assignment pe_of = objects.pe;
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    const std::uint32_t drawn = random.below(pe_count);
    if (objects.migratable[i]) pe_of[i] = drawn;
  }
  return pe_of;
}

}  // namespace skein::lb
