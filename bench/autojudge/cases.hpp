// SPDX-License-Identifier: Apache-2.0
// The jobs with made-up loads that rules are judged on, and the machine that they are played on.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bench/autojudge/loads.hpp"
#include "skein/lb/platform.hpp"

namespace autojudge {

// One node; LB steps as they are between so many PEs on one.
skein::simulate::Platform one_node(std::size_t pes);

struct Case {
  std::string loads;
  Job job;

  std::string name() const;
};

// `held_out`: a third of the loads, which nothing in lb/ is to be chosen by.
std::vector<Case> cases_of(bool held_out, std::uint64_t seeds);

}  // namespace autojudge
