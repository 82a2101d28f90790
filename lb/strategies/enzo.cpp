// SPDX-License-Identifier: Apache-2.0
// enzo: moves whole objects from the most to the least loaded PE, one by one: each time the first object (by
// number) that is lighter than half of the difference, and no lighter than `fill` of that half, as long as
// the most loaded PE finishes later than `ratio` times the least loaded one. It ends when there is no such
// object. Nothing moves unless the largest finish time exceeds `threshold` times the perfect one.
//
// Looks at loads, speeds, background, placement. It is the baseline of move-split: it gives up while the most
// loaded PE has coarse objects, though other PEs could still give, and it takes the first fitting object, not
// the best. Never worse than before, since the receiver always finishes before the giver did. O(moves
// (objects of a PE + log PEs)). Z. Lan, V. E. Taylor, G. Bryan, "A novel dynamic load balancing scheme for
// parallel systems", Journal of Parallel and Distributed Computing 62 (2002), Figure 3: the scheme of the
// program Enzo, which they replace. The default options give that scheme; as printed, it would not end if no
// object fits.
#include <algorithm>
#include <set>

#include "lb/kernel/pe_extremes.hpp"
#include "lb/kernel/portions.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {

std::span<const Key> enzo_keys() {
  static constexpr Key keys[] = {
      real_key("ratio", "1.5", 1, 10, "largest finish time to aim at, as a multiple of the least"),
      real_key(kTriggerKey, "1", 1, 100,
               "acts only if the largest finish time is above this multiple of the perfect one"),
      real_key("fill", "0", 0, 1, "least share of half of the difference that a moving object fills"),
  };
  return keys;
}

Assignment assign_enzo(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  const Objects& objects = snapshot.objects;
  const std::vector<double>& speed = snapshot.pes.speed;
  Assignment pe_of = objects.pe;
  PeExtremes finish(finish_times(snapshot, pe_of));
  if (finish[finish.last()] <= options.real(kTriggerKey) * perfect_finish(snapshot)) return pe_of;
  std::vector<std::set<ObjectIndex>> held(snapshot.pe_count());
  for (ObjectIndex i : movable_objects(objects)) held[pe_of[i]].insert(i);

  const double ratio = options.real("ratio"), fill = options.real("fill");
  while (true) {
    const PeIndex from = finish.last(), to = finish.first();
    const double gap = finish[from] - finish[to];
    if (finish[from] <= ratio * finish[to]) break;
    // On PEs of one speed: fill x gap / 2 <= load < gap / 2.
    const auto found = std::ranges::find_if(held[from], [&](ObjectIndex i) {
      const double closes = objects.load[i] / speed[from] + objects.load[i] / speed[to];
      return closes < gap && closes >= fill * gap;
    });
    if (found == held[from].end()) break;
    const ObjectIndex i = *found;
    held[from].erase(found);
    held[to].insert(i);
    pe_of[i] = to;
    finish.set(from, std::max(0.0, finish[from] - objects.load[i] / speed[from]));
    finish.set(to, finish[to] + objects.load[i] / speed[to]);
  }
  return pe_of;
}

}  // namespace skein::lb
