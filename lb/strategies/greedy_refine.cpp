// SPDX-License-Identifier: Apache-2.0
// greedy-refine: nearly the balance of greedy with a small part of its moves. Greedy is played through for
// its largest finish time M. Every PE above the limit tolerance * M sheds its heaviest objects until it keeps
// the limit (kernel/shedder.hpp), which takes few moves. Then all objects are taken again, heaviest first:
// each stays where it is now if that PE would finish by the limit, or else goes to the PE that would finish
// it first. So heavy objects stay, and light ones level the rest.
//
// Looks at loads, speeds, background and the present placement. Returns the present placement when the result
// would not finish earlier than that. O(n + n log PEs), twice the cost of greedy at most. The second pass is
// the method of Charm++'s GreedyRefine strategy; shedding first saves two of three of its moves (uniform
// loads, 100 objects a PE).
#include <algorithm>

#include "lb/kernel/finish_queue.hpp"
#include "lb/kernel/heaviest_first.hpp"
#include "lb/kernel/shedder.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

/// Returns greedy's largest finish time. PEs that get nothing but an object longer than the perfect finish
/// time count only if there are no others.
double greedys_largest(const Snapshot& snapshot, const std::vector<double>& start,
                       std::span<const ObjectIndex> order) {
  const double heaviest = perfect_finish(snapshot) * std::ranges::max(snapshot.pes.speed);
  FinishQueue queue(snapshot.pes, start);
  std::vector<double> alone = start;
  for_each_in_order(snapshot.objects, {}, order, [&](ObjectIndex, double load) {
    const PeIndex pe = queue.place(load);
    if (load > heaviest) alone[pe] = queue.finish_times()[pe];
  });
  double largest = 0;
  for (PeIndex pe = 0; pe < alone.size(); ++pe)
    if (queue.finish_times()[pe] > alone[pe]) largest = std::max(largest, queue.finish_times()[pe]);
  return largest > 0 ? largest : std::ranges::max(alone);
}

}  // namespace

std::span<const Key> greedy_refine_keys() {
  static constexpr Key keys[] = {
      real_key("tolerance", "1", 1, 10,
               "an object stays while its PE finishes by this times greedy's largest finish time"),
  };
  return keys;
}

Assignment assign_greedy_refine(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  const Objects& objects = snapshot.objects;
  const std::vector<ObjectIndex> order = heaviest_first(objects);
  const std::vector<double> start = pinned_finish(snapshot);

  const double limit = options.real("tolerance") * greedys_largest(snapshot, start, order);
  const Floors floors(snapshot, limit);

  FinishQueue queue(snapshot.pes, start);
  Assignment pe_of = objects.pe;
  const std::vector<double> finish = finish_times(snapshot, objects.pe);
  for (const auto& [object, pe] : Shedder(snapshot, finish, floors, limit, order).shed_above(limit).placed)
    pe_of[object] = pe;
  for_each_in_order(objects, pe_of, order, [&](ObjectIndex object, double load) {
    const PeIndex pe = pe_of[object];
    if (queue.finish_with(pe, load) <= limit || floors.keeps(object)) {
      queue.add(pe, load);
    } else {
      pe_of[object] = queue.place(load);
    }
  });
  const std::vector<double>& after = queue.finish_times();
  const bool is_later = std::ranges::max(after) > std::ranges::max(finish);
  return !is_later && floors.largest_above(after) < floors.largest_above(finish) ? pe_of : objects.pe;
}

}  // namespace skein::lb
