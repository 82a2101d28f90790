// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/measured_objects.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace skein::lb;

namespace {

std::vector<PeIndex> places(const std::vector<MeasuredObject>& objects) {
  std::vector<PeIndex> pes;
  for (const MeasuredObject& one : objects) pes.push_back(one.pe);
  return pes;
}

MeasuredObject on(PeIndex pe, double load) { return {.pe = pe, .load = load}; }

}  // namespace

TEST_CASE("measured objects: those of PEs that are left go to who is done first, heaviest first") {
  // The PEs have 3 and 1 at first. Object 4 comes to PE 1, which then has 5; then 2 comes to PE 0, which has
  // 5; then 1 comes to PE 0, the first of two equal PEs.
  std::vector<MeasuredObject> objects = {on(0, 3), on(2, 1), on(3, 4), on(1, 1), on(2, 2)};
  take_from_other_pes(objects, 2);
  CHECK(places(objects) == std::vector<PeIndex>{0, 0, 1, 1, 0});
}

TEST_CASE("measured objects: who is done first depends on speeds") {
  // PE 0 is half as fast: 3 take it 6. All objects that come go to PE 1 until it has 4 + 3.
  std::vector<MeasuredObject> objects = {on(0, 3), on(2, 4), on(2, 3), on(2, 2)};
  const std::vector<double> speed = {0.5, 1};
  take_from_other_pes(objects, 2, speed);
  CHECK(places(objects) == std::vector<PeIndex>{0, 1, 1, 0});
}

TEST_CASE("measured objects: a snapshot has levels where one object has one") {
  std::vector<MeasuredObject> objects = {on(0, 3), on(1, 4)};
  const std::vector<std::uint32_t> node_of_pe = {0, 0};
  CHECK(make_snapshot({.objects = objects, .node_of_pe = node_of_pe}).objects.level.empty());
  objects[1].level = 0;
  CHECK(make_snapshot({.objects = objects, .node_of_pe = node_of_pe}).objects.level ==
        std::vector<std::int32_t>{kNoLevel, 0});
}

TEST_CASE("measured objects: where none is elsewhere all stay") {
  std::vector<MeasuredObject> objects = {on(1, 3), on(1, 4)};
  take_from_other_pes(objects, 2);
  CHECK(places(objects) == std::vector<PeIndex>{1, 1});
}
