// SPDX-License-Identifier: Apache-2.0
// Options as text, in the help and in docs/cli.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/options/option_walk.hpp"

namespace skein::options {

inline constexpr std::size_t kHelpIndent = 6;  ///< of the text under a name

/// Returns `text` in lines of at most 100 characters, each indented and ended.
std::string wrapped(std::string_view text, std::size_t indent);

std::string padded(std::string_view text, std::size_t width);

/// Returns a text like "-p, --pes P".
std::string flags_of(const OptionText& option);

/// Appends the option's help; under a heading if its group differs from `group`, which is then updated.
void append_help(std::string& out, const OptionText& option, std::string_view& group);
void append_help_option(std::string& out);

/// Returns the text for a cell of a Markdown table, with bars escaped, which would end it.
std::string cell(std::string_view text);

/// Returns the last two cells of an option's row, with the end of the line.
std::string default_and_help(const OptionText& option);

}  // namespace skein::options
