// SPDX-License-Identifier: Apache-2.0
// What the choices of the model lost against the best choice of each case, and whether that meets the
// targets.
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/lbscenarios/play.hpp"

namespace lbscenarios {

// What the model chose in a case.
struct Outcome {
  int steps = 0;
  std::size_t horizon = 0;  // place of `steps` among the horizons
  std::string picked;
  double auto_s = 0;  // what the application then takes, the model's own time included
};

class Tally {
 public:
  void add(const Outcome& outcome, const std::vector<Played>& played);
  bool met() const;
  void print(const char* set) const;
  nlohmann::ordered_json json() const;

 private:
  struct Target {
    const char* what;
    double is;
    double target;
    bool met;
  };
  std::vector<Target> targets() const;

  std::map<std::string, double> fixed_;  // sums of losses of always the same choice, percent
  double auto_sum_ = 0, auto_worst_ = 0;
  std::size_t cases_ = 0, right_ = 0;
};

}  // namespace lbscenarios
