// SPDX-License-Identifier: Apache-2.0
// Distributed strategies whose PEs meet in pairs, each with another partner in every round. The pairs follow
// from the seed, without messages. Each PE of a pair sends the other its offer, and both compute the same
// outcome, so a meeting takes one round. The first meetings are those of a hypercube, nearest numbers first;
// the others are random.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "skein/lb/distributed.hpp"

namespace skein::lb {

/// The keys of such strategies.
inline constexpr Key kMeetingTarget =
    real_key("target", "1.02", 1, 10, "largest finish time to aim at, as a multiple of the perfect one");
inline constexpr Key kMeetingRounds = integer_key("rounds", "200", 1, 1e6, "most rounds in which PEs meet");

/// Returns by how much the number of objects away from home grows if this one moves.
inline int migrations(const LocalObject& object, PeIndex from, PeIndex to) {
  return (object.home != to) - (object.home != from);
}

class MeetingPe : public PeProcess {
 public:
  MeetingPe(LocalPe local, const Options& options, std::uint64_t seed);
  PeRound step(std::span<const PeMessage> inbox, const Totals& totals) final;

 protected:
  /// Returns messages to send before the first meeting; greeted() returns numbers that follow from them.
  virtual std::vector<PeMessage> greet() { return {}; }
  virtual std::array<double, 2> greeted(std::span<const PeMessage>) { return {}; }
  /// Called before the first meeting. `load_s`: of all PEs, at speed 1; `sums`: of greeted() over all PEs.
  virtual void begin(double load_s, std::span<const double, 2> sums) { (void)load_s, (void)sums; }
  /// Returns how late the PE is with its objects; meetings end when that is within limit() on all PEs.
  virtual double work() const = 0;
  /// Returns the message to the partner; the caller fills in the partner's number.
  virtual PeMessage offer() = 0;
  /// Evens out with the partner, and returns how many objects the PE gave away.
  virtual double meet(const PeMessage& other) = 0;

  const LocalPe& local() const { return local_; }
  double target() const { return target_; }
  /// No PE needs to finish before this: `target` times the perfect finish time, or the longest object or
  /// fixed load.
  double limit() const { return limit_; }
  std::int64_t round() const { return round_; }
  /// Returns true once objects may also be exchanged. Before, for twice as many rounds as a hypercube has
  /// dimensions, a late PE may still meet one with room.
  bool may_exchange() const { return round_ > patience_; }

 private:
  enum class Stage { greet, limit, begin, meet };

  PeIndex partner() const;
  PeRound offer_after(double moved);

  const LocalPe local_;
  const double target_;
  const std::int64_t rounds_;
  const std::uint64_t seed_;
  const unsigned levels_;  // of a hypercube over the PEs
  const unsigned patience_;
  double limit_ = 0, load_s_ = 0;
  Stage stage_ = Stage::greet;
  std::int64_t round_ = 0;
  unsigned quiet_ = 0;  // consecutive rounds without a move
};

}  // namespace skein::lb
