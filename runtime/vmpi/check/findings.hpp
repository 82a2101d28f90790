// SPDX-License-Identifier: Apache-2.0
// The findings of --check on a PE, by kind, and their lines at the end of the job: one for each kind, with
// all ranks concerned. Pure, as check.cpp prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skein::vmpi {

/// A leak is an object that MPI lets a program leave behind, though that is seldom meant.
enum class Weight : std::uint8_t { leak, mistake };

/// Returns the text with # in place of each whole number that stands alone: findings that differ in a
/// partner, a tag or a count are of one kind, those that differ in a name or type are not.
std::string kind_of(std::string_view text);

class Findings {
 public:
  /// Adds a finding. Returns true if it is the first of its kind here.
  bool add(Weight weight, int rank, const std::string& text);
  bool any(Weight weight) const;

  /// Packs all findings for another PE.
  std::vector<std::byte> pack() const;
  /// Adds the findings that another PE packed.
  void add_packed(std::span<const std::byte> packed);

  /// Returns the lines: mistakes first, then leaks, which begin with "note: ", each sorted by text.
  std::vector<std::string> lines() const;

 private:
  struct Finding {
    std::string text;  ///< first text of the lowest rank
    std::uint64_t times = 0;
    bool alike = true;  ///< whether all texts are equal, including numbers
    std::set<int> ranks;
  };
  struct Kind {
    Weight weight;
    std::string text;
    bool operator<(const Kind& other) const {
      return weight != other.weight ? weight > other.weight : text < other.text;
    }
  };
  void merge(Weight weight, Finding finding);

  std::map<Kind, Finding> kinds_;
};

}  // namespace skein::vmpi
