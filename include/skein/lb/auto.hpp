// SPDX-License-Identifier: Apache-2.0
// What `--lb auto[:key=value,...]` means.
#pragma once
#include <optional>
#include <string_view>

#include "skein/lb/strategy.hpp"

namespace skein::lb {

struct AutoOptions {
  double horizon = 0;  // LB intervals over which a choice counts; 0: as many as the run has lasted
};

/// Nothing if `text` does not name auto; throws StrategyError for a wrong key or value.
std::optional<AutoOptions> parse_auto(std::string_view text);

/// For what can be chosen, before it is: auto, or a strategy as parse_strategy() takes it, which gives each
/// key that has no default a value. Throws StrategyError (also if it is a library that cannot be loaded).
void check_choice(std::string_view text);

}  // namespace skein::lb
