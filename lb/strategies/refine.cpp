// SPDX-License-Identifier: Apache-2.0
// refine: brings every PE below a limit with as few moves as it can.
//
// A PE above the limit sheds the fewest objects that suffice: its heaviest ones, and as the last of them the
// lightest that still suffices. Shed objects go, heaviest first, to the PE that would finish them first. When
// the limit cannot be kept that way (objects too coarse for the gaps), the limit is searched by bisection
// between the wanted one and the present largest finish. An object that is too heavy for every PE stays,
// alone, and the other PEs are levelled as if it were not there.
//
// Looks at loads, speeds, background and the present placement. Wins where balance is lost slowly and moving
// is dear; loses to greedy-refine where the last percent of balance counts. Never worse than before. O(n);
// at most eight rounds of O(shed log shed + PEs). In the spirit of Charm++'s refinement strategies (L. V.
// Kale, M. Bhandarkar, R. Brunner, "Load balancing in parallel molecular dynamics", IRREGULAR 1998); shedding
// and the search of the limit are Skein's.
#include <algorithm>

#include "lb/kernel/floors.hpp"
#include "lb/kernel/limit_search.hpp"
#include "lb/kernel/shedder.hpp"
#include "lb/strategies/define.hpp"
#include "lb/strategies/values.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {

std::span<const Key> refine_keys() {
  static constexpr Key keys[] = {
      real_key("tolerance", "1.0078", 1, 10,
               "largest finish time to aim at, as a multiple of the perfect one"),
  };
  return keys;
}

Assignment refine(const Snapshot& snapshot, double tolerance) {
  const Objects& objects = snapshot.objects;
  const std::vector<double> finish = finish_times(snapshot, objects.pe);
  const double wanted = tolerance * perfect_finish(snapshot);
  const Floors floors(snapshot, wanted);
  const double before = floors.largest_above(finish);
  Assignment pe_of = objects.pe;
  if (before <= wanted) return pe_of;

  const Shedder shedder(snapshot, finish, floors, wanted);
  const auto best = search_limit(wanted, Shedder::Result{before, {}},
                                 [&](double limit) { return shedder.shed_above(limit); });
  for (const auto& [object, pe] : best.placed) pe_of[object] = pe;
  return pe_of;
}

Assignment assign_refine(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  return refine(snapshot, options.real("tolerance"));
}

}  // namespace skein::lb
