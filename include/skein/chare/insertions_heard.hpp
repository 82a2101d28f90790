// SPDX-License-Identifier: Apache-2.0
// Distinguishes, at an element's home, successive elements of one index. Notices of where an element is, and
// of its end, come from the PEs where it was; there is no order between these, so the end of an element may
// be heard of after its index was inserted anew.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// The insertions into one array that this PE, as home, has heard of. An index is given as its bytes.
class InsertionsHeard {
 public:
  /// Notes that the element of that insertion has ended.
  void ended(Bytes index, std::uint32_t insertion);
  /// Returns true if that element has ended, so that a notice of its place is too late. Only the latest ends
  /// are kept: no notice is under way for long.
  bool has_ended(Bytes index, std::uint32_t insertion) const;

  /// Notes that a newer element has been inserted before the end of this one was reported: the report is
  /// under way, or there are two elements.
  void doubt(Bytes index, std::uint32_t older, int pe);
  std::size_t doubts() const { return doubts_.size(); }

  /// Appends a line for each doubt. For when no message is under way.
  void describe(const ArrayBase& array, std::vector<std::string>& lines) const;

 private:
  struct Ended {
    IndexKey index;
    std::uint32_t insertion;
  };
  struct Doubt {
    IndexKey index;
    std::uint32_t older;
    int pe;
  };
  std::deque<Ended> ended_;
  std::vector<Doubt> doubts_;
};

}  // namespace skein::chare
