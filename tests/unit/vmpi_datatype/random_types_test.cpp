// SPDX-License-Identifier: Apache-2.0
// Random nested types: the engine's answers must be those of the written-out typemap.
#include <doctest/doctest.h>

#include <cstring>

#include "runtime/vmpi/datatype/elements.hpp"
#include "runtime/vmpi/datatype/packer.hpp"
#include "tests/unit/vmpi_datatype/type_pair.hpp"

using namespace skein::vmpi;

namespace {

/// A buffer around an origin that holds `count` instances of a type, wherever they reach.
struct Area {
  std::vector<std::byte> bytes;
  std::int64_t origin = 0;

  Area(const oracle::Typemap& map, std::int64_t count) {
    const std::int64_t reach = count > 0 ? (count - 1) * map.extent() : 0;
    const std::int64_t low = std::min(map.true_lb(), map.true_lb() + reach);
    const std::int64_t high = std::max(map.true_ub(), map.true_ub() + reach);
    origin = -low;
    bytes.resize(static_cast<std::size_t>(high - low));
  }
  std::byte* at() { return bytes.data() + origin; }
  void fill(RandomTypes& random) {
    for (std::byte& b : bytes) b = static_cast<std::byte>(random.number(0, 255));
  }
};

constexpr int rounds = 1500;

}  // namespace

TEST_CASE("datatype: bounds of random types are those of their typemaps") {
  RandomTypes random(1, *std::pmr::new_delete_resource());
  for (int round = 0; round < rounds; ++round) {
    const TypePair t = random.next(1 + round % 4);
    REQUIRE(t.type->size() == t.map.size());
    REQUIRE(t.type->signature().elements == t.map.elements());
    REQUIRE(t.type->true_lb() == t.map.true_lb());
    REQUIRE(t.type->true_extent() == t.map.true_ub() - t.map.true_lb());
    REQUIRE(t.type->lb() == t.map.lb());
    REQUIRE(t.type->extent() == t.map.extent());
  }
}

TEST_CASE("datatype: random types pack and unpack what their typemaps list") {
  RandomTypes random(2, *std::pmr::new_delete_resource());
  for (int round = 0; round < rounds; ++round) {
    const TypePair t = random.next(1 + round % 4);
    const_cast<Datatype&>(*t.type).commit();
    const std::int64_t count = random.number(0, 3);
    Area user(t.map, count);
    user.fill(random);

    const std::vector<std::byte> expected = t.map.pack(user.at(), count);
    std::vector<std::byte> packed(expected.size());
    REQUIRE(pack(user.at(), count, *t.type, packed.data()) == static_cast<std::int64_t>(expected.size()));
    REQUIRE(packed == expected);

    Area ours(t.map, count), theirs(t.map, count);
    unpack(ours.at(), count, *t.type, packed.data(), static_cast<std::int64_t>(packed.size()));
    t.map.unpack(theirs.at(), count, packed);
    REQUIRE(ours.bytes == theirs.bytes);
  }
}

TEST_CASE("datatype: random ranges of random types pack and unpack alone") {
  RandomTypes random(3, *std::pmr::new_delete_resource());
  for (int round = 0; round < rounds; ++round) {
    const TypePair t = random.next(1 + round % 4);
    const_cast<Datatype&>(*t.type).commit();
    const std::int64_t count = random.number(1, 3);
    Area user(t.map, count);
    user.fill(random);
    const std::vector<std::byte> all = t.map.pack(user.at(), count);
    const auto total = static_cast<std::int64_t>(all.size());
    const std::int64_t from = random.number(0, total), to = random.number(from, total);

    std::vector<std::byte> part(static_cast<std::size_t>(to - from));
    pack_range(user.at(), count, *t.type, from, to, part.data());
    REQUIRE(std::equal(part.begin(), part.end(), all.begin() + from));

    // Unpacking in three pieces, in order, gives the same as in one.
    Area pieces(t.map, count), whole(t.map, count);
    unpack_range(pieces.at(), count, *t.type, 0, from, all.data());
    unpack_range(pieces.at(), count, *t.type, from, to, all.data() + from);
    unpack_range(pieces.at(), count, *t.type, to, total, all.data() + to);
    t.map.unpack(whole.at(), count, all);
    REQUIRE(pieces.bytes == whole.bytes);

    // A truncated message changes only the bytes that it brings.
    Area cut(t.map, count), cut_expected(t.map, count);
    unpack(cut.at(), count, *t.type, all.data(), to);
    t.map.unpack(cut_expected.at(), count, {all.begin(), all.begin() + to});
    REQUIRE(cut.bytes == cut_expected.bytes);
  }
}

TEST_CASE("datatype: elements of partial messages are counted as the typemap lists them") {
  RandomTypes random(4, *std::pmr::new_delete_resource());
  for (int round = 0; round < 300; ++round) {
    const TypePair t = random.next(1 + round % 4);
    if (t.map.elements() == 0) {
      REQUIRE(count_elements(*t.type, 0) == 0);
      REQUIRE_FALSE(count_elements(*t.type, 1).has_value());
      continue;
    }
    std::int64_t bytes = 0, elements = 0;
    for (int instance = 0; instance < 2; ++instance)
      for (const oracle::Entry& e : t.map.entries) {
        if (e.what != oracle::Entry::data) continue;
        REQUIRE(count_elements(*t.type, bytes) == elements);
        REQUIRE(bytes_of_elements(*t.type, elements) == bytes);
        if (e.size > 1) REQUIRE_FALSE(count_elements(*t.type, bytes + 1).has_value());
        bytes += e.size;
        ++elements;
      }
  }
}

TEST_CASE("datatype: copying between two random layouts equals packing and unpacking") {
  RandomTypes random(5, *std::pmr::new_delete_resource());
  for (int round = 0; round < rounds; ++round) {
    const TypePair from = random.next(1 + round % 3), to = random.next(round % 4);
    const_cast<Datatype&>(*from.type).commit();
    const_cast<Datatype&>(*to.type).commit();
    const std::int64_t from_count = random.number(0, 3), to_count = random.number(0, 40);
    Area source(from.map, from_count), ours(to.map, to_count), expected(to.map, to_count);
    source.fill(random);
    std::vector<std::byte> stream = from.map.pack(source.at(), from_count);
    const std::size_t room = static_cast<std::size_t>(to_count * to.map.size());
    if (stream.size() > room) stream.resize(room);
    to.map.unpack(expected.at(), to_count, stream);
    REQUIRE(copy_typed(source.at(), from_count, *from.type, ours.at(), to_count, *to.type) ==
            static_cast<std::int64_t>(stream.size()));
    REQUIRE(ours.bytes == expected.bytes);
  }
}
