// SPDX-License-Identifier: Apache-2.0
// hwtopo: moves single objects at random, with odds that favour short steps. The time of a PE is its finish
// time plus the time that its objects wait for messages: latency and bytes over bandwidth, by the level of
// the machine that the messages pass. Each iteration takes an object (from the PE of the longest time with
// probability `alpha`, its heaviest object with probability `beta`), computes for every candidate PE the
// longest time with the object there, and draws the PE from the Gibbs distribution exp(-time / temperature).
// It stops when the object stays where it is, or after as many iterations as objects.
//
// Candidates are the PEs of the object's partners and, for each vertex of the topology, the PE of the
// shortest time: PEs at one vertex without partners differ in nothing else. (The paper considers all PEs.)
// `temperature` is a fraction of the longest time. The best of all placements on the way is returned, or the
// present one if that would finish earlier.
//
// Looks at the graph, topology, loads, speeds, background, placement. Wins where few moves and short
// distances count. Single moves from the fullest PE do not mend many PEs at once. O(iterations (candidates
// degree depth + PEs)). L. L. Pilla, P. O. A. Navaux, C. P. Ribeiro, P. Coucheney, F. Broquedis, B. Gaujal,
// J.-F. Mehaut, "Asymptotically optimal load balancing for hierarchical multi-core systems", ICPADS 2012; L.
// L. Pilla et al., "A topology-aware load balancing algorithm for clustered hierarchical multi-core
// machines", Future Generation Computer Systems 30 (2014).
#include <algorithm>
#include <cmath>

#include "lb/kernel/machine.hpp"
#include "lb/kernel/portions.hpp"
#include "lb/kernel/random.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

class Annealing {
 public:
  Annealing(const Snapshot& snapshot, const Options& options, std::uint64_t seed)
      : snapshot_(snapshot),
        objects_(snapshot.objects),
        machine_(snapshot),
        random_(seed),
        alpha_(options.real("alpha")),
        beta_(options.real("beta")),
        temperature_(options.real("temperature")),
        pe_of_(objects_.pe),
        time_(finish_times(snapshot, pe_of_)),
        held_(snapshot.pe_count()),
        partners_(snapshot.object_count()) {
    for (const ObjectIndex i : movable_objects(objects_)) held_[pe_of_[i]].push_back(i);
    for (ObjectIndex from = 0; from < objects_.size(); ++from) {
      for (std::uint64_t e = snapshot.graph.first[from]; e < snapshot.graph.first[from + 1]; ++e) {
        const ObjectIndex to = snapshot.graph.to[e];
        if (to == from) continue;
        const Link link{to, double(snapshot.graph.messages[e]), snapshot.graph.bytes[e]};
        partners_[from].push_back({link, false});
        partners_[to].push_back({{from, link.messages, link.bytes}, true});
        time_[pe_of_[to]] += seconds(link, pe_of_[from], pe_of_[to]);
      }
    }
  }

  Assignment run() {
    Assignment best = pe_of_;
    double best_time = std::ranges::max(time_);
    for (std::size_t iteration = 0; iteration < objects_.size(); ++iteration) {
      const PeIndex from = choose_pe();
      if (held_[from].empty()) break;
      const std::size_t place = choose_place(from);
      const ObjectIndex object = held_[from][place];
      const PeIndex to = choose_target(object);
      if (to == from) break;
      apply(object, to);
      held_[from].erase(held_[from].begin() + static_cast<std::ptrdiff_t>(place));
      held_[to].push_back(object);
      if (const double time = std::ranges::max(time_); time < best_time) {
        best_time = time;
        best = pe_of_;
      }
    }
    return largest_finish(snapshot_, best) <= largest_finish(snapshot_, objects_.pe) ? best : objects_.pe;
  }

 private:
  struct Link {
    ObjectIndex object;
    double messages, bytes;
  };
  struct Partner {
    Link link;
    bool sends;  // the object sends to its partner; else it receives
  };

  double seconds(const Link& link, PeIndex p, PeIndex q) const {
    const MessageCost cost = machine_.between(p, q);
    return link.messages * cost.latency_s + link.bytes * cost.byte_s;
  }

  PeIndex choose_pe() {
    const auto pes = static_cast<PeIndex>(held_.size());
    if (random_.unit() >= alpha_) {
      const PeIndex start = random_.below(pes);
      for (PeIndex k = 0; k < pes; ++k) {
        if (const PeIndex pe = (start + k) % pes; !held_[pe].empty()) return pe;
      }
    }
    PeIndex fullest = 0;
    for (PeIndex pe = 0; pe < pes; ++pe) {
      const bool better = held_[pe].empty() < held_[fullest].empty();
      if (better || (held_[pe].empty() == held_[fullest].empty() && time_[pe] > time_[fullest])) fullest = pe;
    }
    return fullest;
  }

  std::size_t choose_place(PeIndex pe) {
    const std::vector<ObjectIndex>& held = held_[pe];
    if (random_.unit() >= beta_) return random_.below(static_cast<std::uint32_t>(held.size()));
    const auto heaviest = std::ranges::max_element(held, {}, [&](ObjectIndex i) { return objects_.load[i]; });
    return static_cast<std::size_t>(heaviest - held.begin());
  }

  /// Calls use(pe, seconds) for each change of a PE's time by moving the object; a PE may occur several
  /// times.
  template <class Use>
  void for_each_change(ObjectIndex object, PeIndex to, Use use) const {
    const PeIndex from = pe_of_[object];
    use(from, -objects_.load[object] / snapshot_.pes.speed[from]);
    use(to, objects_.load[object] / snapshot_.pes.speed[to]);
    for (const Partner& partner : partners_[object]) {
      const PeIndex there = pe_of_[partner.link.object];
      const double before = seconds(partner.link, there, from), after = seconds(partner.link, there, to);
      if (partner.sends) {
        use(from, -before);
        use(to, after);
      } else {
        use(there, after - before);
      }
    }
  }

  void apply(ObjectIndex object, PeIndex to) {
    for_each_change(object, to, [&](PeIndex pe, double change) { time_[pe] += change; });
    pe_of_[object] = to;
  }

  struct Candidate {
    PeIndex pe;
    double stands_for;  // the number of PEs that this candidate represents
  };

  std::vector<Candidate> candidates(ObjectIndex object) const {
    std::vector<PeIndex> partners{pe_of_[object]};
    for (const Partner& partner : partners_[object]) partners.push_back(pe_of_[partner.link.object]);
    std::ranges::sort(partners);
    partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
    std::vector<Candidate> result;
    for (const PeIndex pe : partners) result.push_back({pe, 1});

    const PeIndex none = static_cast<PeIndex>(time_.size());
    std::vector<Candidate> shortest(machine_.tree().parent.size(), {none, 0});
    for (PeIndex pe = 0; pe < time_.size(); ++pe) {
      if (std::ranges::binary_search(partners, pe)) continue;
      Candidate& best = shortest[machine_.tree().vertex_of_pe[pe]];
      ++best.stands_for;
      if (best.pe == none || time_[pe] < time_[best.pe]) best.pe = pe;
    }
    std::ranges::copy_if(shortest, std::back_inserter(result),
                         [&](const Candidate& candidate) { return candidate.pe != none; });
    return result;
  }

  /// Returns the longest time with the object on `to`. `by_time`: the PEs of the longest times now.
  double longest_with(ObjectIndex object, PeIndex to, std::span<const PeIndex> by_time) {
    std::vector<std::pair<PeIndex, double>> changes;
    for_each_change(object, to, [&](PeIndex pe, double change) { changes.emplace_back(pe, change); });
    std::ranges::sort(changes);
    double longest = 0;
    for (std::size_t k = 0; k < changes.size();) {
      const PeIndex pe = changes[k].first;
      double time = time_[pe];
      for (; k < changes.size() && changes[k].first == pe; ++k) time += changes[k].second;
      longest = std::max(longest, time);
    }
    for (const PeIndex pe : by_time) {
      const auto place = std::ranges::lower_bound(changes, pe, {}, &std::pair<PeIndex, double>::first);
      if (place != changes.end() && place->first == pe) continue;
      return std::max(longest, time_[pe]);
    }
    return longest;
  }

  PeIndex choose_target(ObjectIndex object) {
    // The longest time of a PE that the move does not change is among this many.
    const std::size_t touched = std::min(time_.size(), partners_[object].size() + 3);
    std::vector<PeIndex> by_time(time_.size());
    for (PeIndex pe = 0; pe < by_time.size(); ++pe) by_time[pe] = pe;
    const auto longer = [&](PeIndex a, PeIndex b) {
      return time_[a] != time_[b] ? time_[a] > time_[b] : a < b;
    };
    std::ranges::partial_sort(by_time, by_time.begin() + static_cast<std::ptrdiff_t>(touched), longer);
    by_time.resize(touched);

    const std::vector<Candidate> targets = candidates(object);
    std::vector<double> odds;
    for (const Candidate& target : targets) odds.push_back(longest_with(object, target.pe, by_time));
    const double shortest = std::ranges::min(odds);
    double sum = 0;
    for (std::size_t k = 0; k < odds.size(); ++k) {
      odds[k] = targets[k].stands_for * std::exp((1 - odds[k] / shortest) / temperature_);
      sum += odds[k];
    }
    double drawn = random_.unit() * sum;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      drawn -= odds[k];
      if (drawn < 0) return targets[k].pe;
    }
    return pe_of_[object];
  }

  const Snapshot& snapshot_;
  const Objects& objects_;
  Machine machine_;
  Random random_;
  double alpha_, beta_, temperature_;
  Assignment pe_of_;
  std::vector<double> time_;                    // of a PE: finish time and waiting for messages
  std::vector<std::vector<ObjectIndex>> held_;  // by PE: its movable objects
  std::vector<std::vector<Partner>> partners_;
};

}  // namespace

std::span<const Key> hwtopo_keys() {
  static constexpr Key keys[] = {
      real_key("alpha", "0.95", 0, 1, "probability of taking the object from the PE of the longest time"),
      real_key("beta", "0.9", 0, 1, "probability of taking the heaviest object of that PE"),
      real_key("temperature", "0.0001", 1e-9, 1,
               "temperature of the draws, as a fraction of the longest time; higher: the longest time grows "
               "more readily"),
  };
  return keys;
}

Assignment assign_hwtopo(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  return Annealing(snapshot, options, seed).run();
}

}  // namespace skein::lb
