// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "skein/lb/strategy.hpp"

namespace skein::lb::test {

/// Returns why the strategy is refused; empty if it is accepted.
inline std::string error_of(std::string_view text) {
  try {
    parse_strategy(text);
  } catch (const StrategyError& error) {
    return error.what();
  }
  return {};
}

}  // namespace skein::lb::test
