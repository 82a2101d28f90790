// SPDX-License-Identifier: Apache-2.0
// A snapshot summed up for predictions: what strategies of a known character will make of it, without working
// them out.
#pragma once
#include <span>
#include <vector>

#include "skein/lb/model.hpp"

namespace skein::lb {

class Outlook {
 public:
  Outlook(const Snapshot& snapshot, const CostModel& cost);

  double present_s() const { return present_s_; }
  // Movement and next interval as expected; decision, total and name are left to the caller.
  Prediction expect(const Selection& strategy, const Character& character) const;
  // The row of stepwise diffusion, whole (Algorithm 2). O(horizon links).
  Prediction expect_stepwise_diffusion(std::span<const std::vector<PeIndex>> links,
                                       const Horizon& horizon) const;
  // As expect(), of an assignment.
  Prediction evaluate(const Assignment& pe_of) const;
  // What an assignment shows of the strategy that made it.
  Character character_of(const Assignment& pe_of) const;

 private:
  // What an ideal strategy of a kind reaches: least time, and what the busiest PE moves for it.
  struct Ideal {
    double finish;
    double moved_load;
  };
  Ideal ideal(const Selection& strategy) const;
  double surplus_share() const { return load_ > 0 ? surplus_ / load_ : 0; }

  const Snapshot& snapshot_;
  const CostModel& cost_;
  std::vector<double> finish_;
  double perfect_;
  double least_ = 0;  // no assignment has a smaller largest finish time
  double present_s_ = 0;
  double messages_s_;               // what messages add to the slowest PE at present
  double load_ = 0;                 // of all objects
  double surplus_ = 0;              // the load on PEs above perfect, as far as it is above
  double movement_s_per_load_ = 0;  // at one end of a move
  double traffic_s_ = 0;            // all messages, were they between PEs, at one end
  double remote_s_ = 0;             // those that are
};

}  // namespace skein::lb
