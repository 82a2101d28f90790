// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/stage.hpp"

#include "runtime/base/error.hpp"
#include "skein/lb/auto.hpp"
#include "skein/lb/load_model.hpp"
#include "skein/lb/strategy.hpp"

namespace skein::tools {
namespace {

constexpr std::uint64_t most_points = 1'000'000'000;

}  // namespace

simulate::Platform platform_of(const Stage& stage) {
  if (stage.platform.empty()) {
    std::string names;
    for (const std::string& name : simulate::known_platforms())
      names.append(names.empty() ? "" : ", ").append(name);
    throw Error(
        "--platform FILE|NAME is missing: the machine to simulate; skein calibrate writes a file for this "
        "one, "
        "and with Skein come " +
        names);
  }
  simulate::Platform platform = simulate::load_platform(stage.platform);
  if (stage.memory_bytes) platform.memory_bytes = stage.memory_bytes;
  return platform;
}

void check_strategy(std::string_view text) {
  try {
    if (lb::names_library(text)) {
      (void)lb::parse_strategy(text);
      return;
    }
    if (lb::parse_auto(text)) return;
    const lb::Selection selection = lb::parse_strategy(text);
    if (const std::string_view key = selection.missing_key(); !key.empty())
      throw Error(format("strategy '%s' needs a value of its key '%s'",
                         std::string(selection.info->name).c_str(), std::string(key).c_str()));
  } catch (const lb::UnknownStrategy& error) {
    throw Error(std::string(error.what()) + ", auto");
  } catch (const lb::StrategyError& error) {
    throw Error(error.what());
  }
}

void set_platform(Stage& stage, std::string_view text) {
  if (text.empty()) throw Error("'' is empty");
  stage.platform = text;
}

void set_load_model(Stage& stage, std::string_view text) {
  try {
    (void)lb::parse_load_model(text);
  } catch (const lb::StrategyError& error) {
    throw Error(error.what());
  }
  stage.policy.load_model = text;
}

void set_placement(Stage& stage, std::string_view text) {
  using simulate::Placement;
  constexpr Placement placements[] = {Placement::block, Placement::round_robin, Placement::recorded};
  stage.policy.placement = placements[options::parse_choice(text, "block|round-robin|recorded")];
}

void set_engine(Stage& stage, std::string_view text) {
  stage.policy.engine = options::parse_choice(text, "fast|simgrid") == 0 ? simulate::NetworkEngine::fast
                                                                         : simulate::NetworkEngine::simgrid;
}

void set_wildcards(Stage& stage, std::string_view text) {
  stage.policy.wildcards_as_recorded = options::parse_choice(text, "recorded|arrival") == 0;
}

std::uint64_t parse_period(std::string_view text) {
  if (text == "auto") return 0;
  if (text.ends_with('s'))
    throw Error("'" + std::string(text) + "' is a time; a simulation takes sync points, or auto");
  return options::parse_count(text, 1, most_points);
}

}  // namespace skein::tools
