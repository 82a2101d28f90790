// SPDX-License-Identifier: Apache-2.0
// gossip: PEs with room tell a few others at random, these pass it on, and after some rounds every PE knows
// some PEs with room. One that finishes too late offers objects to those it knows, drawn with odds in
// proportion to their room; one that is offered an object takes it if it then still finishes before the giver
// would have. All this is a phase; several follow each other, each with fresh knowledge.
//
// A PE needs its own objects, the perfect finish time (one reduction) and what gossip brings: this is the
// single-process form of a distributed strategy. PEs draw from generators of their own, and offers are judged
// in the order of the givers' numbers, so it does not matter which process plays which PE.
//
// Looks at loads, speeds, background, placement. Wins on very many PEs, in a few rounds and with bounded
// memory; leaves more imbalance than central strategies, and objects land anywhere. The largest finish time
// never rises, since no PE takes an object that would make it the later one of the two. O(phases (PEs rounds
// fanout known + n log n)). H. Menon, L. V. Kale, "A distributed dynamic load balancer for iterative
// applications", SC 2013.
#include <algorithm>

#include "lb/kernel/portions.hpp"
#include "lb/kernel/random.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/metrics.hpp"

namespace skein::lb {
namespace {

constexpr Key kKeys[] = {
    real_key("target", "1.02", 1, 10, "largest finish time to aim at, as a multiple of the perfect one"),
    integer_key("phases", "8", 1, 1000, "how often PEs learn and give"),
    integer_key("fanout", "2", 1, 64, "how many PEs each one tells in a round"),
    integer_key("rounds", "0", 0, 64,
                "rounds of telling in a phase; 0: enough to reach all PEs, log2 of their number"),
    integer_key("known", "64", 1, 1e6, "how many PEs with room each one keeps in mind"),
};

struct Offer {
  ObjectIndex object;
  PeIndex from, to;
  double giver_finish;  // of the giver while it has the object
};

class Gossip {
 public:
  Gossip(const Snapshot& snapshot, const Options& options, std::uint64_t seed)
      : snapshot_(snapshot),
        objects_(snapshot.objects),
        perfect_(perfect_finish(snapshot)),
        limit_(options.real("target") * perfect_),
        fanout_(options.integer("fanout")),
        rounds_(options.integer("rounds")),
        known_max_(static_cast<std::size_t>(options.integer("known"))),
        finish_(finish_times(snapshot, objects_.pe)),
        held_(snapshot.pe_count()),
        seen_(snapshot.pe_count(), 0) {
    for (ObjectIndex i : movable_objects(objects_)) held_[objects_.pe[i]].push_back(i);
    Random seeds(seed);
    for (std::size_t p = 0; p < finish_.size(); ++p) random_.emplace_back(seeds.bits());
    if (rounds_ == 0) {
      for (std::size_t reached = 1; reached < finish_.size(); reached *= 2) ++rounds_;
    }
  }

  bool balanced() const { return std::ranges::max(finish_) <= limit_; }

  void run_phase() {
    const std::vector<std::vector<PeIndex>> known = tell();
    std::vector<Offer> offers;
    for (PeIndex p = 0; p < finish_.size(); ++p) {
      if (finish_[p] > limit_) offer_from(p, known[p], offers);
    }
    for (const Offer& offer : offers) judge(offer);
  }

  Assignment placement() const {
    Assignment pe_of = objects_.pe;
    for (PeIndex p = 0; p < held_.size(); ++p) {
      for (ObjectIndex i : held_[p]) pe_of[i] = p;
    }
    return pe_of;
  }

 private:
  double seconds(ObjectIndex i, PeIndex pe) const { return objects_.load[i] / snapshot_.pes.speed[pe]; }
  double room(PeIndex pe) const { return std::max(0.0, perfect_ - finish_[pe]) * snapshot_.pes.speed[pe]; }

  // known[p]: PEs with room that PE p has heard of.
  std::vector<std::vector<PeIndex>> tell() {
    const auto pe_count = static_cast<std::uint32_t>(finish_.size());
    std::vector<std::vector<PeIndex>> known(pe_count);
    for (PeIndex p = 0; p < pe_count; ++p) {
      if (room(p) > 0) known[p].push_back(p);
    }
    for (std::int64_t round = 0; round < rounds_; ++round) {
      const std::vector<std::vector<PeIndex>> told = known;
      for (PeIndex p = 0; p < pe_count; ++p) {
        if (told[p].empty()) continue;
        for (std::int64_t k = 0; k < fanout_; ++k) {
          hear(known[random_[p].below(pe_count)], told[p], random_[p]);
        }
      }
    }
    return known;
  }

  // Adds to `known` what it lacks of `told`, beginning anywhere, as far as there is space.
  void hear(std::vector<PeIndex>& known, const std::vector<PeIndex>& told, Random& random) {
    ++hearing_;
    for (PeIndex q : known) seen_[q] = hearing_;
    const std::size_t start = random.below(static_cast<std::uint32_t>(told.size()));
    for (std::size_t k = 0; k < told.size() && known.size() < known_max_; ++k) {
      const PeIndex q = told[(start + k) % told.size()];
      if (seen_[q] != hearing_) known.push_back(q);
    }
  }

  // Heaviest first, each object that does not exceed what is too much; and the lightest if that leaves
  // something.
  void offer_from(PeIndex pe, const std::vector<PeIndex>& known, std::vector<Offer>& offers) {
    std::vector<double> odds;
    double sum = 0;
    for (PeIndex q : known) sum += odds.emplace_back(room(q));
    std::vector<ObjectIndex>& own = held_[pe];
    std::ranges::sort(own, [&](ObjectIndex a, ObjectIndex b) {
      return objects_.load[a] != objects_.load[b] ? objects_.load[a] > objects_.load[b] : a < b;
    });
    double finish = finish_[pe];
    const auto offer = [&](ObjectIndex i) {
      double draw = random_[pe].unit() * sum;
      std::size_t k = 0;
      while (k + 1 < odds.size() && draw >= odds[k]) draw -= odds[k++];
      offers.push_back({i, pe, known[k], finish});
      finish -= seconds(i, pe);
      const double taken = std::min(odds[k], objects_.load[i]);
      odds[k] -= taken;
      sum -= taken;
    };
    ObjectIndex last = kNone;
    for (ObjectIndex i : own) {
      if (finish <= limit_ || sum <= 0) return;
      if (seconds(i, pe) <= finish - limit_) {
        offer(i);
      } else {
        last = i;
      }
    }
    if (last != kNone && finish > limit_ && sum > 0) offer(last);
  }

  void judge(const Offer& offer) {
    const double finish = finish_[offer.to] + seconds(offer.object, offer.to);
    if (finish >= offer.giver_finish) return;
    finish_[offer.to] = finish;
    finish_[offer.from] -= seconds(offer.object, offer.from);
    std::erase(held_[offer.from], offer.object);
    held_[offer.to].push_back(offer.object);
  }

  static constexpr ObjectIndex kNone = ~ObjectIndex{0};

  const Snapshot& snapshot_;
  const Objects& objects_;
  double perfect_, limit_;
  std::int64_t fanout_, rounds_;
  std::size_t known_max_;
  std::vector<double> finish_;
  std::vector<std::vector<ObjectIndex>> held_;
  std::vector<Random> random_;       // one for each PE
  std::vector<std::uint64_t> seen_;  // seen_[q] == hearing_: PE q is known to the one who hears
  std::uint64_t hearing_ = 0;
};

}  // namespace

std::span<const Key> gossip_keys() { return kKeys; }

Assignment assign_gossip(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  Gossip gossip(snapshot, options, seed);
  for (std::int64_t phase = 0; phase < options.integer("phases") && !gossip.balanced(); ++phase)
    gossip.run_phase();
  return gossip.placement();
}

}  // namespace skein::lb
