// SPDX-License-Identifier: Apache-2.0
#include "runtime/options/values.hpp"

#include <charconv>
#include <cmath>

#include "runtime/base/error.hpp"
#include "runtime/base/texts.hpp"
#include "skein/lb/nearest.hpp"

namespace skein::options {
namespace {

[[noreturn]] void reject(std::string_view text, const std::string& because) {
  throw Error(format("'%.*s' %s", static_cast<int>(text.size()), text.data(), because.c_str()));
}

/// Reads the leading decimal digits; leaves what follows them in `rest`. Returns false if there are none or
/// they exceed 64 bits.
bool leading_integer(std::string_view text, std::uint64_t& value, std::string_view& rest) {
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc()) return false;
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Reads the whole text as a finite decimal number. Returns false if it is none.
bool whole_number(std::string_view text, double& value) {
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

/// Returns the power of 1024 of a suffix, or -1.
int suffix_power(std::string_view suffix) {
  if (suffix.empty()) return 0;
  const std::string_view letters = "KMGT";
  const char letter =
      suffix[0] >= 'a' && suffix[0] <= 'z' ? static_cast<char>(suffix[0] - 'a' + 'A') : suffix[0];
  const std::size_t power = letters.find(letter);
  const std::string_view tail = suffix.substr(1);
  if (power == std::string_view::npos || !(tail.empty() || tail == "iB")) return -1;
  return static_cast<int>(power) + 1;
}

}  // namespace

std::string parse_text(std::string_view text) {
  if (text.empty()) throw Error("'' is empty");
  return std::string(text);
}

std::uint64_t parse_count(std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  std::string_view rest;
  if (!leading_integer(text, value, rest) || !rest.empty() || value < least || value > most)
    reject(text, "is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return value;
}

std::size_t parse_size(std::string_view text, std::size_t least, std::size_t most) {
  std::uint64_t value = 0;
  std::string_view rest;
  const int power = leading_integer(text, value, rest) ? suffix_power(rest) : -1;
  if (power < 0)
    reject(text, "is not a size: a whole number of bytes with K, M, G or T behind it, as in 64M");
  const int shift = 10 * power;
  const bool fits = value <= (UINT64_MAX >> shift);
  if (!fits || (value << shift) < least || (value << shift) > most)
    reject(text, "is not a size from " + size_text(least) + " to " + size_text(most));
  return value << shift;
}

double parse_seconds(std::string_view text, double most) {
  double value = 0;
  if (!whole_number(text, value) || value <= 0 || value > most)
    reject(text, format("is not a number of seconds above 0 and at most %g", most));
  return value;
}

double parse_amount(std::string_view text, double most) {
  double value = 0;
  if (!whole_number(text, value) || value < 0 || value > most)
    reject(text, format("is not a number from 0 to %g", most));
  return value;
}

bool parse_switch(std::string_view text) {
  for (std::string_view yes : {"1", "yes", "true", "on"})
    if (text == yes) return true;
  for (std::string_view no : {"0", "no", "false", "off"})
    if (text == no) return false;
  reject(text, "is neither 1, yes, true, on nor 0, no, false, off");
}

std::size_t parse_choice(std::string_view text, std::string_view choices) {
  std::vector<std::string_view> names;
  for (std::string_view left = choices;;) {
    const std::size_t bar = left.find('|');
    if (text == left.substr(0, bar)) return names.size();
    names.push_back(left.substr(0, bar));
    if (bar == std::string_view::npos) break;
    left.remove_prefix(bar + 1);
  }
  reject(text, "is not one of " + std::string(choices) + lb::did_you_mean(text, names));
}

std::vector<std::string> parse_list(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::string_view left = text;;) {
    const std::size_t end = left.find(separator);
    const std::string_view part = left.substr(0, end);
    if (part.empty())
      reject(text, std::string("has an empty part; parts are separated by '") + separator + "'");
    parts.emplace_back(part);
    if (end == std::string_view::npos) return parts;
    left.remove_prefix(end + 1);
  }
}

}  // namespace skein::options
