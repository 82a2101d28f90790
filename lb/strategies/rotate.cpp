// SPDX-License-Identifier: Apache-2.0
// rotate: an object on PE p goes to PE (p + by) mod PEs. Every object moves (unless pinned), and on PEs of
// equal speed the balance stays the same: it exercises moving and nothing else. O(n).
#include "lb/strategies/define.hpp"
#include "skein/lb/parallel.hpp"

namespace skein::lb {

std::span<const Key> rotate_keys() {
  static constexpr Key keys[] = {
      integer_key("by", "1", 0, 4294967295.0, "number of PEs by which each object moves on"),
  };
  return keys;
}

namespace {

Assignment rotated(const Objects& objects, std::uint64_t pe_count, const Options& options) {
  const std::uint64_t by = static_cast<std::uint64_t>(options.integer("by")) % pe_count;
  Assignment pe_of(objects.size());
  for (std::size_t i = 0; i < pe_of.size(); ++i) {
    pe_of[i] = objects.migratable[i] ? static_cast<PeIndex>((objects.pe[i] + by) % pe_count) : objects.pe[i];
  }
  return pe_of;
}

}  // namespace

Assignment assign_rotate(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  return rotated(snapshot.objects, snapshot.pe_count(), options);
}

Assignment assign_part_rotate(const SnapshotPart& part, const Options& options, std::uint64_t, Team&) {
  return rotated(part.objects, part.pe_count(), options);
}

}  // namespace skein::lb
