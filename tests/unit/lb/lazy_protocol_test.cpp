// SPDX-License-Identifier: Apache-2.0
// The protocol of lazy balancing, in all interleavings of small jobs.
#include <doctest/doctest.h>

#include "lazy_explorer.hpp"

using namespace lazy_model;

TEST_CASE("lazy protocol: two objects on two PEs, whatever happens when") {
  for (const Wait& wait : all_waits())
    for (const Point period : {Point{1}, Point{2}}) {
      const Explorer explorer({.pe_of = {0, 1}, .lasts = {3, 3}, .period = period, .wait = wait});
      CHECK(explorer.states() > 50);
      CHECK(explorer.most_applications() >= 1);
    }
}

TEST_CASE("lazy protocol: objects that end at different points, and PEs without any") {
  for (const Wait& wait : all_waits()) {
    CHECK(Explorer({.pe_of = {0, 1}, .lasts = {1, 3}, .wait = wait}).most_applications() >= 1);
    CHECK(Explorer({.pe_of = {0, 0, 1}, .lasts = {2, 1, 2}, .wait = wait}).most_applications() >= 1);
    CHECK(Explorer({.pe_of = {1}, .lasts = {3}, .wait = wait}).most_applications() >= 2);
  }
}

TEST_CASE("lazy protocol: objects that follow each other closely, on three PEs") {
  for (const Wait& wait : all_waits())
    CHECK(Explorer({.pe_of = {0, 1, 2}, .lasts = {2, 2, 2}, .wait = wait, .tight = true, .pes = 3})
              .most_applications() >= 1);
}

TEST_CASE("lazy protocol: a job that becomes lazy between two points, its last PE empty or not") {
  for (const Wait& wait : all_waits())
    for (const Point from : {Point{3}, Point{4}}) {
      const std::vector<Point> lasts = {from + 3, from + 2};
      const Job job{.pe_of = {0, 1}, .lasts = lasts, .period = 2, .wait = wait, .from = from};
      CHECK(Explorer(job).most_applications() >= 1);
      Job emptied = job;
      emptied.pe_of = {0, 0};
      CHECK(Explorer(emptied).most_applications() >= 1);
    }
}

TEST_CASE("lazy protocol: stops that nobody was asked about, whenever the coordinator wants one") {
  const Job two{.pe_of = {0, 1}, .lasts = {3, 3}, .period = 0, .by_clock = true};
  CHECK(Explorer(two).most_applications() == 3);
  Job three = two;
  three.pe_of = {0, 1, 0};
  three.lasts = {2, 2, 2};
  CHECK(Explorer(three).most_applications() == 2);
  Job empty = two;
  empty.pe_of = {1, 1};
  CHECK(Explorer(empty).most_applications() == 3);
  Job tight{.pe_of = {0, 1, 2}, .lasts = {2, 2, 2}, .period = 0, .tight = true, .pes = 3, .by_clock = true};
  CHECK(Explorer(tight).most_applications() == 2);
}

TEST_CASE("lazy protocol: nobody waits for a coordinator that has fallen silent") {
  for (const Wait& wait : all_waits())
    CHECK(Explorer({.pe_of = {0, 1}, .lasts = {3, 3}, .wait = wait, .silences = true}).states() > 100);
}
