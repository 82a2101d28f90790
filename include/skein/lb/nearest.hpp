// SPDX-License-Identifier: Apache-2.0
// Things by their names, and which name was meant.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skein::lb {

/// Least number of insertions, deletions and replacements of a character that turn `a` into `b`
/// (V. I. Levenshtein, 1966). O(|a| |b|) time.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name that `typed` probably meant: the closest one, if no more than a third of its characters differ,
/// large letters being the same as small ones; else empty.
std::string_view nearest_name(std::string_view typed, std::span<const std::string_view> names);

/// " (did you mean NAME?)", or nothing when no name is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> names);

/// "NAME, NAME"
std::string listed(std::span<const std::string_view> names);

/// What did_you_mean() says and "; valid: NAME, NAME": the end of a message about a name that is none of
/// these.
std::string valid_names(std::string_view typed, std::span<const std::string_view> names);

/// The item whose member `name` is that, or null.
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
