// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/auto_wait.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/unit/lb/make_snapshot.hpp"

using namespace skein::lb;
using namespace skein::lb::lazy;

namespace {

// Two PEs of one object each, which are level at first; after k points one has drift * k more than 1 and the
// other as much less. They are seen every `points`-th point, so many times.
Point wait_after(double drift, double points, int times) {
  AutoWait wait;
  Point k = kNever;
  for (int i = 0; i < times; ++i) {
    Snapshot snapshot;
    snapshot.pes = uniform_pes(2);
    for (unsigned object = 0; object < 2; ++object)
      snapshot.add_object({.id = object,
                           .pe = object,
                           .load = 1 + (object == 0 ? 1 : -1) * drift * points * i,
                           .bytes = 1,
                           .migratable = true});
    k = wait.next(snapshot, points);
  }
  return k;
}

}  // namespace

TEST_CASE("auto wait: nobody waits while nothing is known, and where nothing drifts") {
  CHECK(wait_after(0.01, 1, 1) == kNever);
  CHECK(wait_after(0, 1, 10) == kNever);
}

TEST_CASE("auto wait: as many points as a tenth takes at the rate of the drift") {
  // By (1) of the resource model: log 1.1 / log(1 + i). What was levelled once loses i of its time a point;
  // it is measured over two distances, so that it is near that.
  for (const double drift : {0.02, 0.005, 0.001}) {
    const double lost = std::log(1.1) / std::log1p(drift);
    CHECK(static_cast<double>(wait_after(drift, 1, 6)) == doctest::Approx(lost).epsilon(0.2));
  }
  // The rate is by sync point, however seldom they are looked at.
  CHECK(static_cast<double>(wait_after(0.001, 10, 6)) ==
        doctest::Approx(std::log(1.1) / std::log1p(0.001)).epsilon(0.2));
}

TEST_CASE("auto wait: one point at least") { CHECK(wait_after(0.3, 1, 3) == 1); }
