// SPDX-License-Identifier: Apache-2.0
// Spans of rows, with numbers beside each, and no more of them than a page can show: of too many, those that
// lie near together become one.
#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "skein/lb/report.hpp"

namespace skein::report {

class Spans {
 public:
  /// `counts` numbers go with each. `touching_are_one`: those of one thing with no time between.
  Spans(std::size_t most, std::size_t counts, bool touching_are_one)
      : most_(most), counts_per_span_(counts), join_below_ns_(touching_are_one ? 1 : 0) {}

  /// Row by row; in a row rising.
  void add(const Span& span, std::span<const float> counts = {});
  /// No more than `most` are left, if there are no more rows.
  void finish();

  /// Those with less time between them are one, which is the longest one's of those that were joined.
  std::uint64_t join_below_ns() const { return join_below_ns_; }
  bool thinned() const { return join_below_ns_ > 1; }
  std::vector<Span> take_spans() { return std::move(spans_); }
  std::vector<float> take_counts() { return std::move(counts_); }

 private:
  void thin();

  std::size_t most_, counts_per_span_;
  std::uint64_t join_below_ns_;
  std::uint64_t longest_ns_ = 0;  // of what the last one was joined of
  std::vector<Span> spans_;
  std::vector<float> counts_;
};

}  // namespace skein::report
