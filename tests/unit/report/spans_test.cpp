// SPDX-License-Identifier: Apache-2.0
#include "lb/report/spans.hpp"

#include <doctest/doctest.h>

#include <array>
#include <numeric>

using namespace skein::report;

TEST_CASE("spans: what touches and is of one thing is one, if wanted") {
  for (const bool joined : {true, false}) {
    Spans spans(10, 1, joined);
    spans.add({0, 7, 0, 10}, std::array{1.0F});
    spans.add({0, 7, 10, 30}, std::array{2.0F});
    spans.add({0, 8, 30, 40}, std::array{4.0F});
    spans.add({0, 8, 41, 50}, std::array{8.0F});
    spans.add({1, 8, 50, 60}, std::array{16.0F});
    spans.finish();
    CHECK_FALSE(spans.thinned());
    CHECK(spans.take_counts() ==
          (joined ? std::vector<float>{3, 4, 8, 16} : std::vector<float>{1, 2, 4, 8, 16}));
    CHECK(spans.take_spans().size() == (joined ? 4 : 5));
  }
}

TEST_CASE("spans: too many become fewer, the longest of those that are joined counts, and nothing is lost") {
  constexpr std::size_t most = 100;
  Spans spans(most, 1, false);
  for (std::uint64_t i = 0; i < 3000; ++i)  // pairs of a long and a short one
    spans.add({static_cast<std::uint32_t>(i / 1000), i % 2 == 0 ? 1u : 2u, i % 1000 * 100,
               i % 1000 * 100 + (i % 2 == 0 ? 90 : 10)},
              std::array{1.0F});
  spans.finish();
  CHECK(spans.thinned());
  const std::vector<Span> all = spans.take_spans();
  const std::vector<float> counts = spans.take_counts();
  CHECK(all.size() <= most);
  CHECK(counts.size() == all.size());
  CHECK(std::accumulate(counts.begin(), counts.end(), 0.0F) == 3000);
  for (const Span& span : all) CHECK(span.what == 1);
  CHECK(all.front().begin_ns == 0);
  CHECK(all.back().row == 2);
  CHECK(all.back().end_ns == 99'910);
}

TEST_CASE("spans: of more rows than spans are wanted each keeps one") {
  Spans spans(4, 0, true);
  for (std::uint32_t row = 0; row < 50; ++row) {
    spans.add({row, row, 0, 10});
    spans.add({row, row, 1'000'000, 1'000'010});
  }
  spans.finish();
  CHECK(spans.take_spans().size() == 50);
}
