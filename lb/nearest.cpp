// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace skein::lb {
namespace {

/// Returns the text in lower case (Latin letters only): MPI_AllReduce is a misspelt MPI_Allreduce.
std::string small(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // row[j] = distance between the first i characters of a and the first j of b.
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string_view nearest_name(std::string_view typed, std::span<const std::string_view> names) {
  const std::string wanted = small(typed);
  std::string_view best;
  std::size_t best_distance = SIZE_MAX;
  for (std::string_view name : names) {
    const std::size_t distance = edit_distance(wanted, small(name));
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best_distance * 3 <= best.size() ? best : std::string_view();
}

std::string did_you_mean(std::string_view typed, std::span<const std::string_view> names) {
  const std::string_view name = nearest_name(typed, names);
  return name.empty() ? std::string() : " (did you mean " + std::string(name) + "?)";
}

std::string listed(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) text.append(i == 0 ? "" : ", ").append(names[i]);
  return text;
}

std::string valid_names(std::string_view typed, std::span<const std::string_view> names) {
  return did_you_mean(typed, names) + "; valid: " + listed(names);
}

}  // namespace skein::lb
