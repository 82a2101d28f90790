// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/record/taken.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace skein::vmpi;

namespace {

constexpr std::uint32_t mark(std::uint32_t number) { return Mark::is_numbered | number; }

}  // namespace

TEST_CASE("taken: requests in the order of their start are a run") {
  Taken taken;
  taken.begin();
  CHECK(taken.empty());
  for (std::uint32_t number = 7; number < 60; ++number) CHECK(taken.take(mark(number)));
  CHECK(!taken.empty());
  CHECK(taken.are_run());
  CHECK(taken.first_number() == 7);
  CHECK(taken.count() == 53);
}

TEST_CASE("taken: what is left out, comes twice, has no number or tells more is not taken") {
  for (const std::uint32_t other :
       {mark(9), mark(7), mark(6), 0u, mark(8) | Mark::tells_more, mark(8) | Mark::has_several}) {
    Taken taken;
    taken.begin();
    CHECK(taken.take(mark(7)));
    CHECK(!taken.take(other));
    CHECK(taken.take(mark(8)));
    CHECK(taken.count() == 2);
  }
  for (const std::uint32_t other : {0u, mark(8) | Mark::tells_more, mark(8) | Mark::has_several}) {
    Taken taken;
    taken.begin();
    CHECK(!taken.take(other));
    CHECK(taken.empty());
  }
}

TEST_CASE("taken: numbers begin anew, runs do not go on there") {
  Taken taken;
  taken.begin();
  CHECK(taken.take(mark(Mark::number)));
  for (const std::uint32_t next : {mark(0), mark(0) | Mark::tells_more, mark(0) | Mark::has_several})
    CHECK(!taken.take(next));
  CHECK(taken.count() == 1);
}

TEST_CASE("taken: nothing is taken any more when the run is over") {
  Taken taken;
  taken.begin();
  CHECK(taken.take(mark(7)));
  taken.end_run();
  CHECK(!taken.empty());
  CHECK(!taken.are_run());
  for (const std::uint32_t next : {mark(8), mark(7), mark(0)}) CHECK(!taken.take(next));
}
