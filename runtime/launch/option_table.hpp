// SPDX-License-Identifier: Apache-2.0
// The one declaration of every option of `skein run`, and of every SKEIN_* variable of the skein command.
#pragma once

#include <span>
#include <string_view>

#include "runtime/launch/options.hpp"
#include "runtime/options/option_walk.hpp"

namespace skein::launch {

using Option = options::OptionOf<RunOptions>;

/// Returns the options in the order of the documentation.
std::span<const Option> run_options();

/// A variable that is no option of `run`.
struct Variable {
  std::string_view name;
  std::string_view default_text;
  std::string_view help;
};
std::span<const Variable> other_variables();

}  // namespace skein::launch
