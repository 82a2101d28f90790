// SPDX-License-Identifier: Apache-2.0
// The one declaration of every option of `skein run`, and of every SKEIN_* variable of the skein command.
#pragma once

#include <span>
#include <string_view>

#include "runtime/launch/options.hpp"

namespace skein::launch {

struct Option {
  std::string_view group;     ///< heading in the help
  char letter;                ///< short flag, or 0
  std::string_view name;      ///< long flag, with its dashes
  std::string_view variable;  ///< environment variable
  std::string_view
      value;  ///< placeholder; alternatives separated by '|' are the allowed words; empty: a switch
  std::string_view default_text;  ///< goes through set() before anything else does; empty: nothing is preset
  std::string_view help;          ///< whole sentences
  /// Checks the text and stores it; throws skein::Error about the value (see values.hpp).
  void (*set)(const Option& self, RunOptions& run, std::string_view text);

  bool is_switch() const { return value.empty(); }
};

/// In the order of the documentation.
std::span<const Option> run_options();

/// Variables that are no option of `run`.
struct Variable {
  std::string_view name;
  std::string_view default_text;
  std::string_view help;
};
std::span<const Variable> other_variables();

}  // namespace skein::launch
