// SPDX-License-Identifier: Apache-2.0
#include "lb/kernel/meetings.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "lb/kernel/random.hpp"

namespace skein::lb {

MeetingPe::MeetingPe(LocalPe local, const Options& options, std::uint64_t seed)
    : local_(std::move(local)),
      target_(options.real("target")),
      rounds_(options.integer("rounds")),
      seed_(seed),
      levels_(static_cast<unsigned>(std::bit_width(local_.pe_count - 1))),
      patience_(2 * levels_) {}

PeRound MeetingPe::step(std::span<const PeMessage> inbox, const Totals& totals) {
  switch (stage_) {
    case Stage::greet:
      stage_ = Stage::limit;
      return {
          .messages = greet(),
          .contribution = {{finish_of(local_, local_.objects) * local_.speed, local_.speed}, local_.speed}};
    case Stage::limit: {
      stage_ = Stage::begin;
      load_s_ = totals.sums[0];
      limit_ = target_ * (load_s_ / totals.sums[1]);
      double heaviest = 0;
      for (const LocalObject& object : local_.objects) heaviest = std::max(heaviest, object.load);
      return {.contribution = {greeted(inbox), std::max(local_.fixed_s, heaviest / totals.max)}};
    }
    case Stage::begin:
      stage_ = Stage::meet;
      limit_ = std::max(limit_, totals.max);
      begin(load_s_, totals.sums);
      return offer_after(0);
    case Stage::meet:
      break;
  }
  quiet_ = totals.sums[0] > 0 || round_ <= patience_ ? 0 : quiet_ + 1;
  if (totals.max <= limit_ || quiet_ > 2 * patience_) return {.done = true};
  const double given = inbox.empty() ? 0 : meet(inbox[0]);
  return round_ == rounds_ ? PeRound{.done = true} : offer_after(given);
}

/// Returns the partner of this round, or this PE itself if it has none.
PeIndex MeetingPe::partner() const {
  const PeIndex count = local_.pe_count;
  if (round_ < levels_) {
    const PeIndex near = local_.pe ^ (PeIndex{1} << round_);
    return near < count ? near : local_.pe;
  }
  // Reflect the numbers at a random point; with an even number of PEs an odd sum gives each PE a partner.
  Random random = Random::at(seed_, static_cast<std::uint64_t>(round_));
  const PeIndex sum = count % 2 ? random.below(count) : 2 * random.below(count / 2) + 1;
  return (sum + count - local_.pe) % count;
}

PeRound MeetingPe::offer_after(double moved) {
  PeRound round{.contribution = {{moved, 0}, work()}};
  const PeIndex to = partner();
  ++round_;
  if (to == local_.pe) return round;
  round.messages.push_back(offer());
  round.messages.back().pe = to;
  return round;
}

}  // namespace skein::lb
