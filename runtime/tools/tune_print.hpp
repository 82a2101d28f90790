// SPDX-License-Identifier: Apache-2.0
// Prints the results of `skein tune`.
#pragma once

#include <optional>
#include <string>

#include "runtime/tools/tune_trials.hpp"

namespace skein::tools {

struct Tuning {
  const TuneOptions& options;
  const TuneTrials& trials;
  const tune::Options& how;
  const tune::Result& result;
  std::optional<TuneTrials::BestPossible> best_possible = {};
};

void print_tuning(const Tuning& tuning);
std::string to_json(const Tuning& tuning);

}  // namespace skein::tools
