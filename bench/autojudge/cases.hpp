// SPDX-License-Identifier: Apache-2.0
// The jobs with made-up loads on which rules are judged, and the machine on which they are played.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bench/autojudge/loads.hpp"
#include "skein/lb/platform.hpp"

namespace autojudge {

// Returns a node of `pes` PEs, with the costs of LB steps inside a node.
skein::simulate::Platform one_node(std::size_t pes);

struct Case {
  std::string loads;
  Job job;

  std::string name() const;
};

// Returns the jobs. `held_out`: instead the third of the loads by which nothing in lb/ may be chosen.
std::vector<Case> cases_of(bool held_out, std::uint64_t seeds);

}  // namespace autojudge
