// SPDX-License-Identifier: Apache-2.0
// The places of the bytes of a type, for files, compared byte by byte with the written-out typemap.
#include <doctest/doctest.h>

#include "runtime/vmpi/datatype/walk_blocks.hpp"
#include "tests/unit/vmpi_datatype/type_pair.hpp"

using namespace skein::vmpi;

namespace {

/// Returns the offsets of the bytes of `count` instances, in the order of packing.
std::vector<std::int64_t> listed(const oracle::Typemap& map, std::int64_t count) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < count; ++i)
    for (const oracle::Entry& e : map.entries)
      for (std::int64_t b = 0; e.what == oracle::Entry::data && b < e.size; ++b)
        offsets.push_back(i * map.extent() + e.displacement + b);
  return offsets;
}

std::vector<std::int64_t> walked(const Datatype& type, std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> offsets;
  for_each_block(type, from, to, [&](std::int64_t offset, std::int64_t bytes) {
    CHECK(bytes > 0);
    for (std::int64_t b = 0; b < bytes; ++b) offsets.push_back(offset + b);
  });
  return offsets;
}

}  // namespace

TEST_CASE("walk_blocks: any part of the stream of a random type lies where its typemap says") {
  RandomTypes random(17, *std::pmr::new_delete_resource());
  int with_data = 0;
  for (int round = 0; round < 800; ++round) {
    const TypePair t = random.next(1 + round % 4);
    if (t.map.size() == 0) continue;
    ++with_data;
    const_cast<Datatype&>(*t.type).commit();
    const std::vector<std::int64_t> all = listed(t.map, 3);
    const auto end = static_cast<std::int64_t>(all.size());
    REQUIRE(walked(*t.type, 0, end) == all);
    const std::int64_t from = random.number(0, end), to = random.number(from, end);
    REQUIRE(walked(*t.type, from, to) == std::vector(all.begin() + from, all.begin() + to));
  }
  CHECK(with_data > 300);
}
