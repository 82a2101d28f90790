// SPDX-License-Identifier: Apache-2.0
// How options look in the help and in docs/cli.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/options/option_walk.hpp"

namespace skein::options {

inline constexpr std::size_t kHelpIndent = 6;  ///< of what is said under a name

/// `text` in lines of at most 100 characters, each indented and ended.
std::string wrapped(std::string_view text, std::size_t indent);

std::string padded(std::string_view text, std::size_t width);

/// "-p, --pes P"
std::string flags_of(const OptionText& option);

/// The option in the help; under a heading if its group is another than `group`, which becomes it.
void append_help(std::string& out, const OptionText& option, std::string_view& group);
void append_help_option(std::string& out);

/// For a cell of a Markdown table: a bar would end it.
std::string cell(std::string_view text);

/// The last two cells of an option's row, with the end of the line.
std::string default_and_help(const OptionText& option);

}  // namespace skein::options
