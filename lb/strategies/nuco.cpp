// SPDX-License-Identifier: Apache-2.0
// nuco: greedy that weighs communication by how far apart memories are. Heaviest object first, each to the PE
// of the least cost
//     finish time there + alpha x (sum over partners in other domains of messages x latency to them
//                                  - sum over partners in the PE's own domain of messages x latency inside),
// where a domain holds the PEs at one vertex of the topology (a NUMA domain; a node if that is all that is
// known). In the paper's words the first sum is messages x NUCO factor, the ratio of the latencies, and alpha
// is in units of load; here alpha is a plain number since all is in seconds.
//
// Looks at the graph (messages), topology, loads, speeds, background, placement. Wins on machines whose
// memories differ in distance, where objects send many small messages. Ignores what moving costs, bytes, and
// distances among PEs of one domain; a too large alpha piles partners up. O(n PEs + edges depth). L. L.
// Pilla, C. P. Ribeiro, D. Cordeiro, C. Mei, A. Bhatele, P. O. A. Navaux, F. Broquedis, J.-F. Mehaut, L. V.
// Kale, "A hierarchical approach for load balancing on parallel multi-core systems", ICPP 2012.
#include <algorithm>
#include <limits>

#include "lb/kernel/machine.hpp"
#include "lb/kernel/portions.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

constexpr Key kKeys[] = {
    real_key("alpha", "1", 0, 1e6, "weight of communication against load"),
};

// For one object at a time: what communication adds to the cost of every domain.
class Pull {
 public:
  Pull(const Snapshot& snapshot, const Machine& machine)
      : machine_(machine), messages_(snapshot.graph), first_(snapshot.object_count() + 1, 0) {
    // Who sends to an object; the paper counts what is received.
    for (const ObjectIndex to : messages_.to) ++first_[to + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    senders_.resize(messages_.edge_count());
    std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
    for (ObjectIndex from = 0; from + 1 < messages_.first.size(); ++from) {
      for (std::uint64_t e = messages_.first[from]; e < messages_.first[from + 1]; ++e)
        senders_[next[messages_.to[e]]++] = {from, messages_.messages[e]};
    }
  }

  // The PEs of the domain must be at the vertex `domain`; `pe` is any of them.
  double seconds(ObjectIndex object, std::uint32_t domain, PeIndex pe, const Assignment& pe_of) const {
    double sum = 0;
    for (std::uint64_t e = first_[object]; e < first_[object + 1]; ++e) {
      const auto& [from, count] = senders_[e];
      if (from == object) continue;
      const bool local = machine_.tree().vertex_of_pe[pe_of[from]] == domain;
      const double latency = machine_.at(machine_.meeting(pe, pe_of[from])).latency_s;
      sum += local ? -latency * count : latency * count;
    }
    return sum;
  }

 private:
  struct Sender {
    ObjectIndex object;
    std::uint32_t messages;
  };

  const Machine& machine_;
  const CommGraph& messages_;
  std::vector<std::uint64_t> first_;
  std::vector<Sender> senders_;
};

}  // namespace

std::span<const Key> nuco_keys() { return kKeys; }

Assignment assign_nuco(const Snapshot& snapshot, const Options& options, std::uint64_t) {
  const Objects& objects = snapshot.objects;
  const double alpha = options.real("alpha");
  const Machine machine(snapshot);
  const Pull pull(snapshot, machine);
  std::vector<std::vector<PeIndex>> members(machine.tree().parent.size());
  for (PeIndex p = 0; p < snapshot.pe_count(); ++p) members[machine.tree().vertex_of_pe[p]].push_back(p);

  std::vector<ObjectIndex> order = movable_objects(objects);
  std::ranges::stable_sort(order, std::greater{}, [&](ObjectIndex i) { return objects.load[i]; });
  Assignment pe_of = objects.pe;
  std::vector<double> finish = finish_times(snapshot, pe_of);
  for (const ObjectIndex i : order) {
    const auto seconds_on = [&](PeIndex p) { return objects.load[i] / snapshot.pes.speed[p]; };
    finish[pe_of[i]] -= seconds_on(pe_of[i]);
    PeIndex best = pe_of[i];
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t domain = 0; domain < members.size(); ++domain) {
      if (members[domain].empty()) continue;
      const double talk = alpha * pull.seconds(i, domain, members[domain][0], pe_of);
      for (const PeIndex p : members[domain]) {
        // As in the paper without the object's own load, which is the same on PEs of one speed.
        const double cost = finish[p] + seconds_on(p) + talk;
        if (cost >= least) continue;
        least = cost;
        best = p;
      }
    }
    pe_of[i] = best;
    finish[best] += seconds_on(best);
  }
  return pe_of;
}

}  // namespace skein::lb
