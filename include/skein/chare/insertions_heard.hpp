// SPDX-License-Identifier: Apache-2.0
// At an element's home: what tells elements that had one index after each other apart. Notices of where an
// element is, and of its end, come from the PEs where it was; between these there is no order, so that of one
// that was ended and inserted anew the end may be heard of last.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "skein/index.hpp"

namespace skein::chare {

template <index_type I>
class InsertionsHeard {
 public:
  /// The element of that insertion has ended.
  void ended(const I& index, std::uint32_t insertion) {
    std::erase_if(doubts_,
                  [&](const Doubt& doubt) { return doubt.index == index && doubt.older == insertion; });
    ended_.push_back({index, insertion});
    if (ended_.size() > remembered) ended_.pop_front();
  }
  /// So that a notice of where it was is too late. Of the last ends only, before which no notice is under way
  /// for long.
  bool has_ended(const I& index, std::uint32_t insertion) const {
    return std::ranges::any_of(
        ended_, [&](const Ended& each) { return each.index == index && each.insertion == insertion; });
  }

  /// A newer element has been inserted, and nobody has told of the end of this one: that is under way, or
  /// there are two.
  void doubt(const I& index, std::uint32_t older, int pe) {
    const auto is_known = [&](const Doubt& doubt) { return doubt.index == index && doubt.older == older; };
    if (std::ranges::none_of(doubts_, is_known)) doubts_.push_back({index, older, pe});
  }
  std::size_t doubts() const { return doubts_.size(); }

  /// A line for each doubt, when no message is under way any more.
  void describe(const std::string& array, std::vector<std::string>& lines) const {
    for (const Doubt& doubt : doubts_)
      lines.push_back(array + text_of(doubt.index) +
                      " was inserted a second time, while the first one existed on PE " +
                      std::to_string(doubt.pe));
  }

 private:
  static constexpr std::size_t remembered = 64;
  struct Ended {
    I index;
    std::uint32_t insertion;
  };
  struct Doubt {
    I index;
    std::uint32_t older;
    int pe;
  };
  std::deque<Ended> ended_;
  std::vector<Doubt> doubts_;
};

}  // namespace skein::chare
