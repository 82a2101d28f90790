// SPDX-License-Identifier: Apache-2.0
// The pattern of recursive doubling and halving on any number of ranks: neighbours are folded together until
// a power of two is left, whose members then meet in pairs at distances 1, 2, 4, ... So a member's data
// always belongs to consecutive ranks, and partners can combine in rank order: the operation need not
// commute. (Thakur, Rabenseifner and Gropp 2005, but with ascending distances for that reason.)
#pragma once

#include <bit>
#include <cstdint>

namespace skein::collectives {

struct Span {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

class Halving {
 public:
  Halving(int rank, int ranks)
      : power_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))),
        folded_(ranks - power_),
        member_(rank >= 2 * folded_ ? rank - folded_
                : rank % 2 == 0     ? rank / 2
                                    : -1) {}

  int power() const { return power_; }
  /// Returns this rank's number among the members, or -1 if its lower neighbour acts for it.
  int member() const { return member_; }
  int rank_of(int member) const { return member < folded_ ? 2 * member : member + folded_; }
  /// Returns true if the member acts for its upper neighbour too.
  bool doubled(int member) const { return member < folded_; }

  /// Returns the span of `count` elements that a member keeps after it met its partners at the distances
  /// below `distance`, each time giving away a half.
  static Span left_with(int member, int distance, std::int64_t count) {
    Span span{0, count};
    for (int bit = 1; bit < distance; bit *= 2) {
      const std::int64_t lower = span.count / 2;
      if (member & bit)
        span = {span.first + lower, span.count - lower};
      else
        span.count = lower;
    }
    return span;
  }

 private:
  int power_;
  int folded_;
  int member_;
};

}  // namespace skein::collectives
