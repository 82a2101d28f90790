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

// Nothing if `text` does not name auto; throws StrategyError for a wrong key or value.
std::optional<AutoOptions> parse_auto(std::string_view text);

}  // namespace skein::lb
