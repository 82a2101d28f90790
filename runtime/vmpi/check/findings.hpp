// SPDX-License-Identifier: Apache-2.0
// What --check has found on a PE, kind by kind, and how it is told at the end of the job: a line each, with
// all ranks that it was found of. Pure but for the printing, which is check.cpp's.
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

/// A leak is what MPI lets a program leave behind, though it is seldom meant.
enum class Weight : std::uint8_t { leak, mistake };

/// The text with # in place of whole numbers that stand alone: findings that differ in a partner, a tag or a
/// count are of one kind, those that differ in a name or type are not.
std::string kind_of(std::string_view text);

class Findings {
 public:
  /// Whether it is the first of its kind here.
  bool add(Weight weight, int rank, const std::string& text);
  bool any(Weight weight) const;

  /// For another PE.
  std::vector<std::byte> pack() const;
  /// What another PE packed.
  void add_packed(std::span<const std::byte> packed);

  /// "note: " stands before leaks. Mistakes first, each weight in the order of the texts.
  std::vector<std::string> lines() const;

 private:
  struct Finding {
    std::string text;  ///< of the lowest rank, the first that it had
    std::uint64_t times = 0;
    bool alike = true;  ///< all texts are the same, numbers included
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
