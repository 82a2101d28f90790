// SPDX-License-Identifier: Apache-2.0
// gossip: PEs with room tell a few others at random, these pass it on, and after some rounds every PE knows
// some PEs with room. One that finishes too late offers objects to those it knows, drawn with odds in
// proportion to their room; one that is offered an object takes it if it then still finishes before the giver
// would have. All this is an iteration; several follow each other, each with fresh knowledge.
//
// Distributed: a PE needs its own objects, the perfect and the largest finish time (reductions) and what
// gossip brings. PEs draw from generators of their own, and offers are judged in the order of the givers'
// numbers, so it does not matter which process plays which PE.
//
// Looks at loads, speeds, background, placement. Wins on very many PEs, in a few rounds and with bounded
// memory; leaves more imbalance than central strategies, and objects land anywhere. The largest finish time
// never rises, since no PE takes an object that would make it the later one of the two. A PE: O(iterations
// (rounds fanout known + n log n)), n its objects. H. Menon, L. V. Kale, "A distributed dynamic load balancer
// for iterative applications", SC 2013.
#include <algorithm>

#include "lb/kernel/heaviest_first.hpp"
#include "lb/kernel/random.hpp"
#include "lb/strategies/define.hpp"
#include "skein/lb/distributed.hpp"

namespace skein::lb {
namespace {

class Gossip : public PeProcess {
 public:
  Gossip(LocalPe local, const Options& options, std::uint64_t seed)
      : local_(std::move(local)),
        target_(options.real("target")),
        iterations_(options.integer("iterations")),
        fanout_(options.integer("fanout")),
        rounds_(options.integer("rounds")),
        known_max_(static_cast<std::size_t>(options.integer("known"))),
        random_(Random::at(seed, local_.pe).bits()),
        held_(local_.objects),
        finish_(finish_of(local_, held_)),
        is_known_(local_.pe_count) {
    if (rounds_ > 0) return;
    for (std::size_t reached = 1; reached < local_.pe_count; reached *= 2) ++rounds_;
  }

  PeRound step(std::span<const PeMessage> inbox, const Totals& totals) override {
    switch (stage_) {
      case Stage::open:
        stage_ = Stage::start_phase;
        return {.contribution = {{finish_ * local_.speed, local_.speed}, finish_}};
      case Stage::start_phase:
        if (iteration_ == 0) perfect_ = totals.sums[0] / totals.sums[1];
        return start_phase(totals);
      case Stage::listen:
        for (const PeMessage& message : inbox) hear(message.rooms);
        return round_ < rounds_ ? tell() : offer();
      case Stage::judge:
        stage_ = Stage::settle;
        return judge(inbox);
      case Stage::settle:
        break;
    }
    settle(inbox);
    stage_ = Stage::start_phase;
    return {.contribution = {{}, finish_}};
  }

  const std::vector<LocalObject>& objects() const override { return held_; }

 private:
  enum class Stage { open, start_phase, listen, judge, settle };

  double limit() const { return target_ * perfect_; }
  double seconds(const LocalObject& object) const { return object.load / local_.speed; }

  PeRound start_phase(const Totals& totals) {
    if (totals.max <= limit() || iteration_++ == iterations_) return {.done = true};
    known_.clear();
    is_known_.assign(local_.pe_count, false);
    const double room = (perfect_ - finish_) * local_.speed;
    if (room > 0) learn({local_.pe, room});
    round_ = 0;
    stage_ = Stage::listen;
    return rounds_ > 0 ? tell() : offer();
  }

  /// Whom it tells, and at which of the PEs it knows it begins.
  PeRound tell() {
    ++round_;
    PeRound round;
    if (known_.empty()) return round;
    for (std::int64_t k = 0; k < fanout_; ++k) {
      PeMessage message{.pe = random_.below(local_.pe_count), .rooms = known_};
      const auto start = random_.below(static_cast<std::uint32_t>(known_.size()));
      std::rotate(message.rooms.begin(), message.rooms.begin() + start, message.rooms.end());
      round.messages.push_back(std::move(message));
    }
    return round;
  }

  void learn(const PeRoom& room) {
    known_.push_back(room);
    is_known_[room.pe] = true;
  }

  void hear(std::span<const PeRoom> told) {
    for (const PeRoom& room : told) {
      if (known_.size() >= known_max_) return;
      if (!is_known_[room.pe]) learn(room);
    }
  }

  /// Heaviest first, each object that does not exceed what is too much; and the lightest of the others if
  /// that leaves something. numbers[0] of an offer: when the giver finishes while it has the object.
  PeRound offer() {
    stage_ = Stage::judge;
    PeRound round;
    if (finish_ <= limit()) return round;
    std::vector<double> odds;
    double sum = 0;
    for (const PeRoom& room : known_) sum += odds.emplace_back(room.load);
    double finish = finish_;
    const auto offer_one = [&](const LocalObject& object) {
      double draw = random_.unit() * sum;
      std::size_t k = 0;
      while (k + 1 < odds.size() && draw >= odds[k]) draw -= odds[k++];
      round.messages.push_back({.pe = known_[k].pe, .numbers = {finish}, .objects = {object}});
      finish -= seconds(object);
      const double taken = std::min(odds[k], object.load);
      odds[k] -= taken;
      sum -= taken;
    };
    std::ranges::sort(held_, heavier);
    const LocalObject* last = nullptr;
    for (const LocalObject& object : held_) {
      if (finish <= limit() || sum <= 0) return round;
      if (seconds(object) <= finish - limit()) {
        offer_one(object);
      } else {
        last = &object;
      }
    }
    if (last && finish > limit() && sum > 0) offer_one(*last);
    return round;
  }

  /// Takes what still lets it finish before the giver would have; the answer names what was taken.
  PeRound judge(std::span<const PeMessage> offers) {
    PeRound round;
    for (const PeMessage& offer : offers) {
      const LocalObject& object = offer.objects[0];
      const double finish = finish_ + seconds(object);
      if (finish >= offer.numbers[0]) continue;
      finish_ = finish;
      held_.push_back(object);
      round.messages.push_back({.pe = offer.pe, .objects = {object}});
    }
    return round;
  }

  void settle(std::span<const PeMessage> answers) {
    for (const PeMessage& answer : answers) {
      const LocalObject& taken = answer.objects[0];
      finish_ -= seconds(taken);
      std::erase_if(held_, [&](const LocalObject& own) { return own.object == taken.object; });
    }
  }

  const LocalPe local_;
  const double target_;
  const std::int64_t iterations_, fanout_;
  std::int64_t rounds_;
  const std::size_t known_max_;
  Random random_;
  std::vector<LocalObject> held_;
  double finish_;
  double perfect_ = 0;
  std::vector<PeRoom> known_;
  std::vector<bool> is_known_;  // by PE
  Stage stage_ = Stage::open;
  std::int64_t iteration_ = 0, round_ = 0;
};

}  // namespace

std::span<const Key> gossip_keys() {
  static constexpr Key keys[] = {
      real_key("target", "1.02", 1, 10, "largest finish time to aim at, as a multiple of the perfect one"),
      integer_key("iterations", "8", 1, 1000, "how often PEs learn and give"),
      integer_key("fanout", "2", 1, 64, "how many PEs each one tells in a round"),
      integer_key("rounds", "0", 0, 64,
                  "rounds of telling in an iteration; 0: enough to reach all PEs, log2 of their number"),
      integer_key("known", "64", 1, 1e6, "how many PEs with room each one keeps in mind"),
  };
  return keys;
}

std::unique_ptr<PeProcess> begin_gossip(LocalPe local, const Options& options, std::uint64_t seed) {
  return std::make_unique<Gossip>(std::move(local), options, seed);
}

Assignment assign_gossip(const Snapshot& snapshot, const Options& options, std::uint64_t seed) {
  return decide_in_one_process(snapshot, options, seed, begin_gossip);
}

}  // namespace skein::lb
