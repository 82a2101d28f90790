// SPDX-License-Identifier: Apache-2.0
// greedy: list scheduling, longest processing time first (LPT). The heaviest object goes to the PE that would
// finish it first, then the next.
//
// Looks at loads, speeds, background; it ignores the placement, so nearly all objects move. On PEs of equal
// speed without background or pinned objects the largest finish time is at most 4/3 - 1/(3 PEs) of the best
// possible one. R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17 (1969).
// O(n + n log PEs); with k different speeds times min(k, 16).
#include "lb/kernel/finish_queue.hpp"
#include "lb/kernel/heaviest_first.hpp"
#include "lb/strategies/define.hpp"

namespace skein::lb {

std::span<const Key> greedy_keys() { return {}; }

Assignment assign_greedy(const Snapshot& snapshot, const Options&, std::uint64_t) {
  FinishQueue queue(snapshot.pes, pinned_finish(snapshot));
  Assignment pe_of = snapshot.objects.pe;
  for_each_in_order(snapshot.objects, pe_of, heaviest_first(snapshot.objects),
                    [&](ObjectIndex object, double load) { pe_of[object] = queue.place(load); });
  return pe_of;
}

}  // namespace skein::lb
