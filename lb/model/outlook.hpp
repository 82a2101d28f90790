// SPDX-License-Identifier: Apache-2.0
// Sums a snapshot up to predict the results of strategies of known character without working them out.
#pragma once
#include <vector>

#include "lb/kernel/pe_graph.hpp"
#include "skein/lb/diffusion_forecast.hpp"
#include "skein/lb/model.hpp"

namespace skein::lb {

class Outlook {
 public:
  /// `may_split`: strategies may split objects.
  /// `spread`: Drift::Fading::spread.
  Outlook(const Snapshot& snapshot, const CostModel& cost, double spread, bool may_split);

  double present_s() const { return present_s_; }
  /// Returns what a placement without messages that reaches the least possible time would gain.
  double most_gain_s(const Horizon& horizon) const {
    return horizon.effective() * (present_s_ - expected_alone(std::min(least_, least_divided_)));
  }
  /// Returns true if the strategy can divide objects of the snapshot.
  bool divides(const Selection& strategy) const {
    return may_split_ && strategy.info->decide && !snapshot_.objects.splittable.empty();
  }
  /// Returns the expected movement and next interval; the caller fills in decision, total and name.
  Prediction expect(const Selection& strategy, const Character& character) const;
  /// Predicts a strategy that acts at every step, by equation 10 and Algorithm 2: decision_s has the messages
  /// of decisions but not their computing, total_s no decisions. Imbalance that returns (Horizon) flows off
  /// in as many steps as the present one. O(edges + steps links), of 200 steps at most.
  Prediction expect_stepwise(const Selection& strategy, const Character& character,
                             const Horizon& horizon) const;
  /// Returns movement and next interval of a decision. Parts are taken to send and receive where the rest of
  /// their object is.
  Prediction evaluate(const Decision& decision) const;
  /// Returns how much more time messages take in an interval after the decision than they take now.
  double added_messages_s(const Decision& decision) const;
  /// Returns the character of the strategy, as its decision shows it.
  Character character_of(const Selection& strategy, const Decision& decision) const;

 private:
  /// The result of an ideal strategy of a kind: the least time, and the load that the busiest PE moves.
  struct Ideal {
    double finish;
    double moved_load;
  };
  Ideal ideal(const Selection& strategy) const;
  DiffusionForecast forecast_stepwise(const Selection& strategy, const PeGraph& links, double pace,
                                      std::size_t most_steps) const;
  /// Returns the least largest finish time that the strategy could reach.
  double least(const Selection& strategy) const { return divides(strategy) ? least_divided_ : least_; }
  /// Returns the time to move on the busiest PE, without meeting and rebuilding, if every PE has as many and
  /// as large objects per load (Character::crowding 1).
  double even_movement_s(const Ideal& ideal, double churn) const;
  double find_least_crowding() const;
  /// Returns the time that messages add to an interval after the decision.
  double messages_s(const Decision& decision) const;
  /// Returns the expected end of an interval in which one PE finishes at `largest` and the others at the
  /// perfect time.
  double expected_alone(double largest) const;
  /// Adds the least times and the surplus of the snapshot, or of one of its levels (Objects::level): levels
  /// run one after another, so theirs add up.
  void add_bounds(const Snapshot& level);
  double surplus_share() const { return load_ > 0 ? surplus_ / load_ : 0; }

  const Snapshot& snapshot_;
  const CostModel& cost_;
  std::vector<double> finish_;
  double perfect_;
  double spread_s_;
  double least_ = 0;          // lower bound of the largest finish time of assignments
  double least_divided_ = 0;  // lower bound of that of decisions that split objects
  bool may_split_;
  double present_s_ = 0;
  double load_ = 0;                 // of all objects
  double surplus_ = 0;              // the load above perfect balance, over all PEs
  double movement_s_per_load_ = 0;  // at one end of a move
  double least_crowding_ = 1;       // Character::crowding of moving the objects that are cheapest to move
  double traffic_s_ = 0;            // all messages as if they were between PEs, at one end
  double remote_s_ = 0;             // messages between PEs, at one end
};

}  // namespace skein::lb
