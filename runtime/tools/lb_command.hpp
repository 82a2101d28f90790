// SPDX-License-Identifier: Apache-2.0
// `skein lb`: strategies on files. lb/ computes; this reads, chooses, prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/options/tool.hpp"
#include "skein/lb/compare.hpp"
#include "skein/lb/load_model.hpp"

namespace skein::tools {

struct LbPhase {
  enum class Which { one, last, all };
  Which which = Which::last;
  std::uint64_t id = 0;  ///< for Which::one
};

/// The options, checked as far as possible without a file.
struct LbOptions {
  std::vector<std::string> operands;  ///< files; of generate the kind

  std::optional<LbPhase> phase;
  lb::LoadModel load_model;
  std::size_t pes = 0;  ///< 0: as many as the file has
  std::size_t objects = 0;
  std::size_t pes_per_node = 0;
  std::uint64_t seed = 1;

  std::string strategies;  ///< as lb::parse_candidates() takes it
  std::string strategy;    ///< as lb::parse_strategy() takes it; empty: not given
  lb::CostModel cost;
  double steps = 0;

  std::string output;  ///< empty: not given
  bool json = false;
};

using LbOption = options::OptionOf<LbOptions>;

const options::ToolOf<LbOptions>& lb_tool();

}  // namespace skein::tools
