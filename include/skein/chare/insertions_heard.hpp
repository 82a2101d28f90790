// SPDX-License-Identifier: Apache-2.0
// At an element's home: what tells elements that had one index after each other apart. Notices of where an
// element is, and of its end, come from the PEs where it was; between these there is no order, so that of one
// that was ended and inserted anew the end may be heard of last.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// The insertions into one array that its homes have heard of. An index is its bytes.
class InsertionsHeard {
 public:
  /// The element of that insertion has ended.
  void ended(Bytes index, std::uint32_t insertion);
  /// So that a notice of where it was is too late. Of the last ends only, before which no notice is under way
  /// for long.
  bool has_ended(Bytes index, std::uint32_t insertion) const;

  /// A newer element has been inserted, and nobody has told of the end of this one: that is under way, or
  /// there are two.
  void doubt(Bytes index, std::uint32_t older, int pe);
  std::size_t doubts() const { return doubts_.size(); }

  /// A line for each doubt, when no message is under way any more.
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
