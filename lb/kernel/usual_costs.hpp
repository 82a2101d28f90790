// SPDX-License-Identifier: Apache-2.0
// What a strategy's decision costs as a rule: for simulations, and for `auto` before it has seen the
// strategy.
#pragma once

#include <optional>
#include <string_view>

namespace skein::lb {

/// Returns the usual decision time of the built-in strategy of this name per object, PE and edge, in ns on
/// one core of the machine where it was measured; nothing for a user's own strategy.
std::optional<double> usual_element_ns(std::string_view strategy);

/// Stands for the usual time of a strategy that has none: one that looks at loads and edges.
inline constexpr double kUnknownElementNs = 60;

}  // namespace skein::lb
