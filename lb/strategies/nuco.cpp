// SPDX-License-Identifier: Apache-2.0
// nuco: greedy that weighs communication by the distance of memories. Objects are taken heaviest first, each
// for the PE of the least cost
//     finish time there + alpha x (sum over partners in other domains of messages x latency to them
//                                  - sum over partners in the PE's own domain of messages x latency inside),
// where a domain holds the PEs at one vertex of the topology (a NUMA domain; a node if that is all that is
// known). In the paper's words the first sum is messages x NUCO factor, the ratio of the latencies, and alpha
// is in units of load; here alpha is a plain number since all is in seconds.
//
// Looks at the graph (messages), topology, loads, speeds, background, placement. Wins on machines whose
// memories differ in distance, if objects send many small messages. Ignores costs of moving, bytes, and
// distances among PEs of one domain; too large an alpha piles partners up. O(edges depth log PEs + n log n).
// L. L. Pilla, C. P. Ribeiro, D. Cordeiro, C. Mei, A. Bhatele, P. O. A. Navaux, F. Broquedis, J.-F. Mehaut,
// L. V. Kale, "A hierarchical approach for load balancing on parallel multi-core systems", ICPP 2012.
#include <algorithm>
#include <functional>
#include <vector>

#include "lb/kernel/machine.hpp"
#include "lb/kernel/nearest_pe.hpp"
#include "lb/kernel/portions.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

/// The senders of messages to each object; the paper counts received messages.
class Senders {
 public:
  explicit Senders(const CommGraph& graph) : first_(graph.first.size(), 0), senders_(graph.edge_count()) {
    for (const ObjectIndex to : graph.to) ++first_[to + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
    for (ObjectIndex from = 0; from + 1 < graph.first.size(); ++from) {
      for (std::uint64_t e = graph.first[from]; e < graph.first[from + 1]; ++e)
        senders_[next[graph.to[e]]++] = {from, graph.messages[e]};
    }
  }

  struct Sender {
    ObjectIndex object;
    std::uint32_t messages;
  };
  std::span<const Sender> of(ObjectIndex object) const {
    return std::span(senders_).subspan(first_[object], first_[object + 1] - first_[object]);
  }

 private:
  std::vector<std::uint64_t> first_;
  std::vector<Sender> senders_;
};

}  // namespace

std::span<const Key> nuco_keys() {
  static constexpr Key keys[] = {
      real_key("alpha", "1", 0, 1e6, "weight of communication against load"),
  };
  return keys;
}

Assignment assign_nuco(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  const Objects& objects = snapshot.objects;
  const double alpha = options.real("alpha");
  const Machine machine(snapshot);
  const Senders senders(snapshot.graph);
  std::vector<ObjectIndex> order = movable_objects(objects);
  std::ranges::stable_sort(order, std::greater{}, [&](ObjectIndex i) { return objects.load[i]; });

  Assignment pe_of = objects.pe;
  NearestPe nearest(machine, snapshot.pes, finish_times(snapshot, pe_of));
  std::vector<NearestPe::Partner> partners;
  for (const ObjectIndex i : order) {
    const auto add = [&](PeIndex p, double load) {
      nearest.set_finish(p, nearest.finish(p) + load / snapshot.pes.speed[p]);
    };
    partners.clear();
    for (const auto& [object, messages] : senders.of(i))
      if (object != i) partners.push_back({pe_of[object], alpha * messages});
    add(pe_of[i], -objects.load[i]);
    // The paper leaves out the object's own load, which is the same on PEs of one speed.
    pe_of[i] = nearest.best(objects.load[i], partners);
    add(pe_of[i], objects.load[i]);
  }
  return pe_of;
}

}  // namespace skein::lb
