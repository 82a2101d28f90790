// SPDX-License-Identifier: Apache-2.0
// A snapshot summed up for predictions: what strategies of a known character will make of it, without working
// them out.
#pragma once
#include <vector>

#include "skein/lb/model.hpp"

namespace skein::lb {

class Outlook {
 public:
  Outlook(const Snapshot& snapshot, const CostModel& cost);

  double present_s() const { return present_s_; }
  // Movement and next interval as expected; decision, total and name are left to the caller.
  Prediction expect(const Selection& strategy, const Character& character) const;
  // The same of an assignment.
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
  double remote_share(const Assignment& pe_of) const;

  const Snapshot& snapshot_;
  const CostModel& cost_;
  std::vector<double> finish_;
  double perfect_;
  double least_;  // no assignment has a smaller largest finish time
  double present_s_;
  double load_ = 0;          // of all objects
  double surplus_ = 0;       // the part of the load that is on PEs above perfect, and above it
  double object_moves_s_;    // moving all objects, one after the other
  double traffic_s_ = 0;     // all messages, were they between PEs, at one end
  double remote_share_ = 0;  // the part of that which is
};

}  // namespace skein::lb
