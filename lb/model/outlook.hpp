// SPDX-License-Identifier: Apache-2.0
// A snapshot summed up for predictions: what strategies of a known character will make of it, without working
// them out.
#pragma once
#include <vector>

#include "lb/kernel/pe_graph.hpp"
#include "skein/lb/diffusion_forecast.hpp"
#include "skein/lb/model.hpp"

namespace skein::lb {

class Outlook {
 public:
  /// `may_split`: strategies that split objects do.
  Outlook(const Snapshot& snapshot, const CostModel& cost, bool may_split);

  double present_s() const { return present_s_; }
  /// Movement and next interval as expected; decision, total and name are left to the caller.
  Prediction expect(const Selection& strategy, const Character& character) const;
  /// For one that acts at every step, by equation 10 and Algorithm 2: decisions without what it takes
  /// to make them, and the total without decisions. What returns (Horizon) flows in as many steps as what is
  /// uneven now. O(edges + steps links), of 200 steps at most.
  Prediction expect_stepwise(const Selection& strategy, const Character& character,
                             const Horizon& horizon) const;
  /// As expect(), of a decision. Parts are taken to send and receive where the rest of their object is.
  Prediction evaluate(const Decision& decision) const;
  /// By how much longer than now messages make an interval after a decision.
  double added_messages_s(const Decision& decision) const;
  /// What a decision shows of the strategy that made it.
  Character character_of(const Selection& strategy, const Decision& decision) const;

 private:
  /// What an ideal strategy of a kind reaches: least time, and what the busiest PE moves for it.
  struct Ideal {
    double finish;
    double moved_load;
  };
  Ideal ideal(const Selection& strategy) const;
  DiffusionForecast forecast_stepwise(const Selection& strategy, const PeGraph& links, double pace,
                                      std::size_t most_steps) const;
  /// The least largest finish time that the strategy could reach.
  double least(const Selection& strategy) const {
    return may_split_ && strategy.info->decide ? least_divided_ : least_;
  }
  /// What moving takes on the busiest PE, without meeting and rebuilding, as long as nothing is known of the
  /// strategy's crowding.
  double even_movement_s(const Ideal& ideal, double churn) const;
  double find_least_crowding() const;
  /// Adds the least times and the surplus of the snapshot, or of one of its levels (Objects::level): levels
  /// run one after another, so theirs add up.
  void add_bounds(const Snapshot& level);
  double surplus_share() const { return load_ > 0 ? surplus_ / load_ : 0; }

  const Snapshot& snapshot_;
  const CostModel& cost_;
  std::vector<double> finish_;
  double perfect_;
  double least_ = 0;          // no assignment has a smaller largest finish time,
  double least_divided_ = 0;  // and no decision that splits objects a smaller one than this
  bool may_split_;
  double present_s_ = 0;
  double messages_s_;               // what messages add to the slowest PE at present
  double load_ = 0;                 // of all objects
  double surplus_ = 0;              // the load on PEs above perfect, as far as it is above
  double movement_s_per_load_ = 0;  // at one end of a move
  double least_crowding_ = 1;  // Character::crowding of who levels by the objects that are cheapest to move
  double traffic_s_ = 0;       // all messages, were they between PEs, at one end
  double remote_s_ = 0;        // those that are
};

}  // namespace skein::lb
