// SPDX-License-Identifier: Apache-2.0
// gossip: PEs meet in pairs, each with another partner in every round. If one of a pair finishes too late,
// the pair evens itself out: objects go from the late PE to the early one, or are exchanged for lighter ones,
// until both keep the limit. If they cannot, they share the excess. So the excess spreads by halves, as in
// randomized gossip, and meets the remaining room.
//
// Distributed: lb/kernel/meetings.hpp chooses the pairs.
//
// Looks at loads, speeds, background, placement. Wins on very many PEs: within 2 % of the perfect finish time
// after some rounds more than log2 of their number. Loses where objects communicate, since they land
// anywhere. The largest finish time never rises, as it rises in no pair. Few objects move: those that are
// away from home already go before others, no PE gives away load below the limit, and a pair that keeps the
// limit exchanges nothing. A PE: O(rounds (n log n + offered^2)), n its objects.
//
// S. Boyd, A. Ghosh, B. Prabhakar, D. Shah, "Randomized gossip algorithms", IEEE Transactions on Information
// Theory 52 (2006). Fewest migrations first: J. Lifflander et al., "Optimizing distributed load balancing for
// workloads with time-varying imbalance", CLUSTER 2021.
#include <algorithm>
#include <optional>
#include <utility>

#include "lb/kernel/heaviest_first.hpp"
#include "lb/kernel/meetings.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/distributed.hpp"

namespace skein::lb {
namespace {

/// The fewest objects that a PE offers, unless it has fewer.
constexpr std::size_t kOffered = 64;
/// The most exchanges of two objects in a meeting.
constexpr int kSwaps = 4;

/// One of two PEs that meet. `objects`: its offer, and later what it keeps of both offers.
struct Meeting {
  PeIndex pe;
  double finish, speed;
  std::vector<LocalObject> objects;  // heaviest first

  bool is_later(const Meeting& other) const {
    return finish != other.finish ? finish > other.finish : pe < other.pe;
  }
};

void hand_over(Meeting& from, Meeting& to, const LocalObject& object) {
  std::erase_if(from.objects, [&](const LocalObject& each) { return each.object == object.object; });
  from.finish -= object.load / from.speed;
  to.finish += object.load / to.speed;
  to.objects.insert(std::ranges::lower_bound(to.objects, object, kHeavier), object);
}

/// Returns the most load to move: the early PE's room, or, if that is too little, what evens both out.
double wanted(const Meeting& late, const Meeting& early, double limit) {
  const double room = (limit - early.finish) * early.speed;
  if ((late.finish - limit) * late.speed <= room) return room;
  return (late.finish - early.finish) / (1 / late.speed + 1 / early.speed);
}

/// Moves objects, heaviest first, that are not too large; those away from home already go before the others.
bool give(Meeting& late, Meeting& early, double limit) {
  std::vector<LocalObject> kept;
  bool gave = false;
  for (int most = -1; most <= 1; ++most) {
    kept.clear();
    for (const LocalObject& object : late.objects) {
      if (late.finish > limit && migrations(object, late.pe, early.pe) <= most &&
          object.load <= wanted(late, early, limit)) {
        late.finish -= object.load / late.speed;
        early.finish += object.load / early.speed;
        early.objects.push_back(object);
        gave = true;
      } else {
        kept.push_back(object);
      }
    }
    late.objects.swap(kept);
  }
  std::ranges::sort(early.objects, kHeavier);
  return gave;
}

/// Exchanges an object for a lighter one, or for none, so that the later of both PEs finishes earliest; among
/// equal exchanges with the fewest migrations. Returns false if none makes the later PE earlier.
bool exchange(Meeting& late, Meeting& early, double limit) {
  const auto value = [&](double load) {
    return std::max({late.finish - load / late.speed, early.finish + load / early.speed, limit});
  };
  double best = late.finish * (1 - 1e-9);
  int fewest = 3;
  std::optional<LocalObject> going, coming;
  for (const LocalObject& mine : late.objects) {
    for (std::size_t k = 0; k <= early.objects.size(); ++k) {
      const LocalObject* theirs = k < early.objects.size() ? &early.objects[k] : nullptr;
      const double finish = value(mine.load - (theirs ? theirs->load : 0));
      if (finish > best) continue;
      const int moves =
          migrations(mine, late.pe, early.pe) + (theirs ? migrations(*theirs, early.pe, late.pe) : 0);
      if (finish == best && moves >= fewest) continue;
      best = finish;
      fewest = moves;
      going = mine;
      coming = theirs ? std::optional(*theirs) : std::nullopt;
    }
  }
  if (!going) return false;
  hand_over(late, early, *going);
  if (coming) hand_over(early, late, *coming);
  return true;
}

/// Exchanges one object for several lighter ones so that the later of both PEs finishes earliest. Returns
/// false if no exchange makes it earlier.
bool trade(Meeting& late, Meeting& early, double limit) {
  double best = late.finish * (1 - 1e-9);
  const Meeting late_before = late, early_before = early;
  for (const LocalObject& mine : late_before.objects) {
    Meeting giver = late_before, taker = early_before;
    hand_over(giver, taker, mine);
    give(taker, giver, limit);
    if (std::max(giver.finish, taker.finish) >= best) continue;
    best = std::max(giver.finish, taker.finish);
    late = std::move(giver);
    early = std::move(taker);
  }
  return best < late_before.finish * (1 - 1e-9);
}

/// Evens out a pair; both PEs of it compute the same result. Returns true if an object moved. `exchanges`:
/// true if objects may be exchanged to remove the rest of the excess.
bool even_out(Meeting& late, Meeting& early, double limit, bool exchanges) {
  if (late.finish <= limit || early.finish >= limit) return false;
  bool changed = give(late, early, limit);
  for (int k = 0; exchanges && k < kSwaps && late.finish > limit && early.finish < limit; ++k) {
    if (!exchange(late, early, limit) && !trade(late, early, limit)) break;
    changed = true;
  }
  return changed;
}

class Gossip : public MeetingPe {
 public:
  Gossip(LocalPe local, const Options& options, std::uint64_t seed)
      : MeetingPe(std::move(local), options, seed),
        held_(this->local().objects),
        finish_(finish_of(this->local(), held_)) {
    std::ranges::sort(held_, kHeavier);
  }

  const std::vector<LocalObject>& objects() const override { return held_; }

 private:
  double work() const override { return finish_; }

  PeMessage offer() override {
    // At most half of the load above the limit can go.
    const std::size_t most = finish_ > limit() ? std::max(kOffered, held_.size() / 2) : kOffered;
    const std::size_t stride = (held_.size() + most - 1) / most;
    offered_.clear();
    for (std::size_t k = 0; k < held_.size(); ++k) {
      if ((k + static_cast<std::size_t>(round())) % std::max<std::size_t>(stride, 1) == 0)
        offered_.push_back(held_[k]);
    }
    return {.numbers = {finish_, local().speed}, .objects = offered_};
  }

  double meet(const PeMessage& message) override {
    Meeting mine{local().pe, finish_, local().speed, offered_};
    Meeting other{message.pe, message.numbers[0], message.numbers[1], message.objects};
    const bool late = mine.is_later(other);
    if (!even_out(late ? mine : other, late ? other : mine, limit(), may_exchange())) return 0;
    std::erase_if(held_, [&](const LocalObject& object) {
      return std::ranges::binary_search(offered_, object, kHeavier);
    });
    held_.insert(held_.end(), mine.objects.begin(), mine.objects.end());
    std::ranges::sort(held_, kHeavier);
    finish_ = finish_of(local(), held_);
    return late;
  }

  std::vector<LocalObject> held_;  // heaviest first
  double finish_;
  std::vector<LocalObject> offered_;
};

}  // namespace

std::span<const Key> gossip_keys() {
  static constexpr Key keys[] = {kMeetingTarget, kMeetingRounds};
  return keys;
}

std::unique_ptr<PeProcess> begin_gossip(LocalPe local, const Options& options, std::uint64_t seed) {
  return std::make_unique<Gossip>(std::move(local), options, seed);
}

}  // namespace skein::lb
