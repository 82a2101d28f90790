// SPDX-License-Identifier: Apache-2.0
// What a number of a platform may be, in words.
#pragma once
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include "lb/simulate/platform_members.hpp"

namespace skein::simulate {

inline bool is_allowed(double value, const Allowed& allowed) {
  const bool enough = allowed.above_least ? value > allowed.least : value >= allowed.least;
  const bool little = allowed.below_most ? value < allowed.most : value <= allowed.most;
  return enough && little;  // no number is neither
}

/// As short as it can be read back, in every locale.
inline std::string to_text(double number) {
  char text[32];
  const bool plain = number == std::floor(number) && std::abs(number) < 1e17;
  const auto [end, error] = plain ? std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(number))
                                  : std::to_chars(text, text + sizeof text, number);
  return {text, end};
}

/// "from 0 to 1000", "above 0, up to 1000", "from 0 to below 1"
inline std::string to_text(const Allowed& allowed) {
  return (allowed.above_least ? "above " + to_text(allowed.least) + ", up to "
                              : "from " + to_text(allowed.least) + " to ") +
         (allowed.below_most ? "below " : "") + to_text(allowed.most);
}

/// "name[index]"
inline std::string indexed(const char* name, std::size_t index) {
  return std::string(name).append("[").append(std::to_string(index)).append("]");
}

/// "NAME is -3; it may be ..."
inline std::string not_allowed(const std::string& name, double value, const Allowed& allowed) {
  return name + " is " + to_text(value) + "; it may be " + to_text(allowed);
}

}  // namespace skein::simulate
