// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/page_copies.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/unit/lb/scratch_folder.hpp"

using namespace skein::checkpoint;
using skein::lb::test::ScratchFolder;

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::uint64_t kEnough = std::uint64_t{1} << 30;

std::vector<std::byte> filled(std::size_t bytes, int value) {
  return std::vector<std::byte>(bytes, static_cast<std::byte>(value));
}

Run run_over(const std::vector<std::byte>& data) {
  return {reinterpret_cast<std::uint64_t>(data.data()), data.size()};
}

}  // namespace

TEST_CASE("copies: they stay as they are when the pages change, also in room that was used before") {
  PageCopies copies;
  for (const std::size_t pages : {3, 700, 5}) {
    auto first = filled(kPage, 1), second = filled(pages * kPage, 2), third = filled(kPage, 3);
    REQUIRE(copies.begin((pages + 2) * kPage, kEnough));
    const Run both[] = {run_over(first), run_over(second)}, one[] = {run_over(third)};
    const std::byte* const a = copies.add(both);
    const std::byte* const b = copies.add(one);
    for (auto* each : {&first, &second, &third}) std::ranges::fill(*each, std::byte{9});
    CHECK(std::all_of(a, a + kPage, [](std::byte each) { return each == std::byte{1}; }));
    CHECK(
        std::all_of(a + kPage, a + (pages + 1) * kPage, [](std::byte each) { return each == std::byte{2}; }));
    CHECK(std::all_of(b, b + kPage, [](std::byte each) { return each == std::byte{3}; }));
    copies.end();
  }
}

TEST_CASE("copies: at most half of what is free becomes copies") {
  PageCopies copies;
  CHECK(copies.begin(kPage, 2 * kPage));
  CHECK(!copies.begin(kPage + 1, 2 * kPage));
  CHECK(!copies.begin(std::uint64_t{1} << 62, ~std::uint64_t{0}));  // more than there are addresses
  CHECK(copies.begin(kPage, 2 * kPage));
}

TEST_CASE("copies: a file that is written of them is that of the pages as they were") {
  const ScratchFolder folder;
  auto data = filled(5 * kPieceBytes + kPage, 7);
  data[kPage] = std::byte{8};
  const auto before = data;
  const Run run = run_over(data);
  PageCopies copies;
  REQUIRE(copies.begin(run.bytes, kEnough));
  const std::byte* const copy = copies.add({&run, 1});
  std::ranges::fill(data, std::byte{0});
  ImageWriter writer(folder / "images");
  const std::uint64_t stored = writer.put({&run, 1}, copy);
  writer.finish(false);
  ImageReader reader(folder / "images");
  const std::vector<Run> runs = reader.begin(0, stored);
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].address == run.address);
  REQUIRE(runs[0].bytes == run.bytes);
  std::vector<std::byte> read(run.bytes);
  reader.take(read);
  reader.end();
  CHECK(read == before);
}
