// SPDX-License-Identifier: Apache-2.0
#include "spans.hpp"

#include <algorithm>

namespace skein::report {
namespace {

constexpr std::uint64_t kJoinAllBelowNs = std::uint64_t{1} << 60;  // longer than any run

}  // namespace

void Spans::add(const Span& span, std::span<const float> counts) {
  const std::uint64_t length_ns = span.end_ns - span.begin_ns;
  Span* const last = spans_.empty() || spans_.back().row != span.row ? nullptr : &spans_.back();
  if (last && span.begin_ns - last->end_ns < join_below_ns_ && (thinned() || last->what == span.what)) {
    if (length_ns > longest_ns_) {
      longest_ns_ = length_ns;
      last->what = span.what;
    }
    last->end_ns = span.end_ns;
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts_[counts_.size() - counts_per_span_ + i] += counts[i];
    return;
  }
  longest_ns_ = length_ns;
  spans_.push_back(span);
  counts_.insert(counts_.end(), counts.begin(), counts.end());
  counts_.resize(spans_.size() * counts_per_span_, 0);
  if (spans_.size() >= 2 * most_) thin();
}

void Spans::finish() {
  while (spans_.size() > most_ && join_below_ns_ <= kJoinAllBelowNs) thin();
}

void Spans::thin() {
  // There are more rows than wanted spans.
  if (join_below_ns_ > kJoinAllBelowNs) return;
  join_below_ns_ = std::max<std::uint64_t>(1000, join_below_ns_ * 4);
  std::vector<Span> spans;
  std::vector<float> counts;
  spans.swap(spans_);
  counts.swap(counts_);
  for (std::size_t i = 0; i < spans.size(); ++i)
    add(spans[i], std::span(counts).subspan(i * counts_per_span_, counts_per_span_));
}

}  // namespace skein::report
