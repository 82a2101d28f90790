// SPDX-License-Identifier: Apache-2.0
// Spans of rows, with numbers for each, at most as many as a page can show: if there are more, neighbouring
// spans are joined.
#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "skein/lb/report.hpp"

namespace skein::report {

class Spans {
 public:
  /// Keeps `most` spans, each with `counts` numbers. `touching_are_one`: spans of one thing without time
  /// between them are joined.
  Spans(std::size_t most, std::size_t counts, bool touching_are_one)
      : most_(most), counts_per_span_(counts), join_below_ns_(touching_are_one ? 1 : 0) {}

  /// Adds a span. Spans come row by row, rising within a row.
  void add(const Span& span, std::span<const float> counts = {});
  /// Joins spans until at most `most` are left, unless there are more rows.
  void finish();

  /// Returns the bound: spans with less time between them are joined, and take the `what` of the longest one.
  std::uint64_t join_below_ns() const { return join_below_ns_; }
  bool thinned() const { return join_below_ns_ > 1; }
  std::vector<Span> take_spans() { return std::move(spans_); }
  std::vector<float> take_counts() { return std::move(counts_); }

 private:
  void thin();

  std::size_t most_, counts_per_span_;
  std::uint64_t join_below_ns_;
  std::uint64_t longest_ns_ = 0;  // the longest span in the last one
  std::vector<Span> spans_;
  std::vector<float> counts_;
};

}  // namespace skein::report
