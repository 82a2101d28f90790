// SPDX-License-Identifier: Apache-2.0
// Finding things by name, and guessing which name a user meant.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skein::lb {

/// Returns the least number of insertions, deletions and replacements of a character that turn `a` into `b`
/// (V. I. Levenshtein, 1966). O(|a| |b|) time.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns the name closest to `typed`, letter case ignored; empty if above a third of its letters differ.
std::string_view nearest_name(std::string_view typed, std::span<const std::string_view> names);

/// Returns " (did you mean NAME?)", or an empty text if no name is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> names);

/// Returns "NAME, NAME".
std::string listed(std::span<const std::string_view> names);

/// Returns did_you_mean() and "; valid: NAME, NAME", the end of a message about an unknown name.
std::string valid_names(std::string_view typed, std::span<const std::string_view> names);

/// Returns a pointer to the item whose member `name` equals `name`, or null.
template <class Items>
auto find_named(const Items& items, std::string_view name) {
  const auto found = std::ranges::find_if(items, [&](const auto& item) { return item.name == name; });
  return found == std::end(items) ? nullptr : std::to_address(found);
}

template <class Items>
std::vector<std::string_view> names_of(const Items& items) {
  std::vector<std::string_view> names;
  for (const auto& item : items) names.emplace_back(item.name);
  return names;
}

inline std::string quoted(std::string_view text) {
  std::string result(1, '\'');
  result += text;
  result += '\'';
  return result;
}

}  // namespace skein::lb
