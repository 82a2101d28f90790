// SPDX-License-Identifier: Apache-2.0
// Distributed strategies whose PEs meet in pairs, each with another partner in every round. Who meets whom
// follows from the seed, and nobody has to ask. Both of a pair send each other what they could give, and both
// work out the same outcome, so that a meeting takes one round. The first meetings are those of a hypercube,
// nearest numbers first, and the others at random.
#pragma once
#include <cstdint>
#include <vector>

#include "skein/lb/distributed.hpp"

namespace skein::lb {

/// Two keys of such a strategy.
inline constexpr Key kMeetingTarget =
    real_key("target", "1.02", 1, 10, "largest finish time to aim at, as a multiple of the perfect one");
inline constexpr Key kMeetingRounds = integer_key("rounds", "200", 1, 1e6, "how often PEs meet at most");

/// How many objects more are away from home once this one has gone.
inline int migrations(const LocalObject& object, PeIndex from, PeIndex to) {
  return (object.home != to) - (object.home != from);
}

class MeetingPe : public PeProcess {
 public:
  MeetingPe(LocalPe local, const Options& options, std::uint64_t seed);
  PeRound step(std::span<const PeMessage> inbox, const Totals& totals) final;

 protected:
  /// What PEs tell each other before the first meeting, and what comes of it: a number that is added up.
  virtual std::vector<PeMessage> greet() { return {}; }
  virtual double greeted(std::span<const PeMessage>) { return 0; }
  /// `load_s`: of all PEs, on one of speed 1; `sum`: of what greeted() has returned.
  virtual void begin(double load_s, double sum) { (void)load_s, (void)sum; }
  /// How late the PE is by what it has; meetings end where that is within limit() for all.
  virtual double work() const = 0;
  /// To the partner, whose number is filled in.
  virtual PeMessage offer() = 0;
  /// Returns how many objects the PE gave away.
  virtual double meet(const PeMessage& other) = 0;

  const LocalPe& local() const { return local_; }
  double target() const { return target_; }
  /// Nobody needs to be done before: `target` times the perfect finish time, or what the heaviest object
  /// takes.
  double limit() const { return limit_; }
  std::int64_t round() const { return round_; }
  /// For twice as many rounds as a hypercube has dimensions objects only go: who finishes too late may yet
  /// meet one with room for them.
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
  unsigned quiet_ = 0;  // rounds in which nothing has moved
};

}  // namespace skein::lb
