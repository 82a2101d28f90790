// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <memory>
#include <numeric>

#include "skein/pup.hpp"

using skein::CorruptBuffer;
using skein::pup::Blocks;
using skein::pup::kLeastBlock;

namespace {

constexpr std::size_t limit = kLeastBlock / sizeof(int);

struct Packed {
  std::vector<std::byte> bytes;
  Blocks blocks;
};
template <class T>
Packed pack_with_blocks(T& value) {
  Packed packed;
  skein::pup::Sizer sizer(packed.blocks);
  skein::pup::process(sizer, value);
  packed.bytes.resize(sizer.offset());
  skein::pup::Packer packer(packed.bytes, packed.blocks);
  skein::pup::process(packer, value);
  return packed;
}
template <class T>
void unpack_all(std::span<const std::byte> bytes, Blocks& blocks, T& value) {
  skein::pup::Unpacker unpacker(bytes, blocks);
  skein::pup::process(unpacker, value);
  unpacker.expect_end();
}

/// Returns copies in memory of their own, as a transfer would make them: blocks of the same sizes.
Blocks received(const Blocks& sent) {
  Blocks copies;
  for (std::size_t i = 0; i < sent.size(); ++i)
    memcpy(copies.allocate(sent[i].bytes), sent[i].data, sent[i].bytes);
  return copies;
}

std::vector<int> counting(std::size_t size) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

}  // namespace

TEST_CASE("blocks: a vector of 16 KiB goes as one, without being copied; a smaller one does not") {
  std::vector<std::vector<int>> values{counting(limit - 1), counting(limit), {}, counting(3 * limit)};
  const auto expected = values;
  Packed packed = pack_with_blocks(values);
  REQUIRE(packed.blocks.size() == 2);
  CHECK(packed.blocks[0].data == reinterpret_cast<const std::byte*>(values[1].data()));
  CHECK(packed.blocks[1].bytes == 3 * kLeastBlock);
  CHECK(packed.bytes.size() < 2 * kLeastBlock);

  Blocks blocks = received(packed.blocks);
  const std::byte* const storage = blocks[1].data;
  std::vector<std::vector<int>> loaded;
  unpack_all(packed.bytes, blocks, loaded);
  CHECK(loaded == expected);
  CHECK(values == expected);
#ifdef __GLIBCXX__
  CHECK(reinterpret_cast<const std::byte*>(loaded[3].data()) == storage);
#endif
  loaded[3].push_back(1);
  loaded[3].shrink_to_fit();
  CHECK(loaded[3].size() == 3 * limit + 1);
}

TEST_CASE("blocks: those that are lent are copied by whoever loads them") {
  std::vector<int> values = counting(limit);
  Packed packed = pack_with_blocks(values);
  std::vector<int> loaded;
  unpack_all(packed.bytes, packed.blocks, loaded);
  CHECK(loaded == counting(limit));
  CHECK(values == counting(limit));
}

TEST_CASE("blocks: what is shared is copied") {
  auto values = std::make_shared<std::vector<int>>(counting(limit));
  Packed packed = pack_with_blocks(values);
  CHECK(packed.blocks.empty());
  std::shared_ptr<std::vector<int>> loaded;
  unpack_all(packed.bytes, packed.blocks, loaded);
  CHECK(*loaded == counting(limit));
}

TEST_CASE("blocks: vectors beyond the most that one message announces are copied") {
  std::vector<std::vector<int>> values(Blocks::most + 3, counting(limit));
  Packed packed = pack_with_blocks(values);
  CHECK(packed.blocks.size() == Blocks::most);
  Blocks blocks = received(packed.blocks);
  std::vector<std::vector<int>> loaded;
  unpack_all(packed.bytes, blocks, loaded);
  CHECK(loaded == values);
}

TEST_CASE("blocks: missing ones, others, and absurd counts are refused") {
  std::vector<std::vector<int>> values{counting(limit), counting(2 * limit)};
  const Packed packed = pack_with_blocks(values);
  std::vector<std::vector<int>> loaded;
  const auto refuses = [&](std::vector<std::byte> bytes, std::initializer_list<std::size_t> sizes) {
    Blocks blocks;
    for (const std::size_t size : sizes) memset(blocks.allocate(size), 0, size);
    CHECK_THROWS_AS(unpack_all(bytes, blocks, loaded), CorruptBuffer);
  };
  refuses(packed.bytes, {});
  refuses(packed.bytes, {kLeastBlock});
  refuses(packed.bytes, {2 * kLeastBlock, kLeastBlock});
  refuses(packed.bytes, {kLeastBlock + 1, 2 * kLeastBlock});
  refuses({packed.bytes.begin(), packed.bytes.end() - 1}, {kLeastBlock, 2 * kLeastBlock});
  std::vector<std::byte> absurd = packed.bytes;
  const std::uint64_t count = ~std::uint64_t{0} / sizeof(int) + 2;  // times sizeof(int) it is 4
  memcpy(absurd.data() + sizeof count, &count, sizeof count);
  refuses(absurd, {kLeastBlock, 2 * kLeastBlock});
}
