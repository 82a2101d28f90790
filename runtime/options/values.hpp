// SPDX-License-Identifier: Apache-2.0
// Parses the text of an option. Each function takes the whole text or throws skein::Error with a message
// about the value alone ("'0' is not ..."); the caller puts the option's name in front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skein::options {

/// Accepts any text but the empty one.
std::string parse_text(std::string_view text);

/// Parses a decimal integer from `least` to `most`.
std::uint64_t parse_count(std::string_view text, std::uint64_t least, std::uint64_t most);

/// Parses bytes: a decimal integer and an optional suffix K, M, G or T (powers of 1024; KiB and so on are
/// equivalent), from `least` to `most`.
std::size_t parse_size(std::string_view text, std::size_t least, std::size_t most);

/// Parses a decimal number of seconds above 0 and at most `most`.
double parse_seconds(std::string_view text, double most);

/// Parses a decimal number from 0 to `most`.
double parse_amount(std::string_view text, double most);

/// Parses 1, yes, true, on; 0, no, false, off.
bool parse_switch(std::string_view text);

/// Returns the index of `text` among `choices`, which are separated by '|'.
std::size_t parse_choice(std::string_view text, std::string_view choices);

/// Returns the parts between separators; an empty part is an error.
std::vector<std::string> parse_list(std::string_view text, char separator);

}  // namespace skein::options
