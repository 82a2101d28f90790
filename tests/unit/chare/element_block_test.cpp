// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/element_block.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <set>
#include <vector>

using skein::chare::ElementBlock;

namespace {

constexpr std::size_t bytes = 3000;  // of an element: does not divide the size of a piece
constexpr std::size_t in_piece = ElementBlock::piece_bytes / bytes;

/// Returns how many pages of the piece around `in_piece_somewhere` are in memory.
std::size_t pages_of(const void* in_piece_somewhere) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto at = reinterpret_cast<std::uintptr_t>(in_piece_somewhere) & ~(ElementBlock::piece_bytes - 1);
  std::vector<unsigned char> there(ElementBlock::piece_bytes / page);
  REQUIRE(mincore(reinterpret_cast<void*>(at), ElementBlock::piece_bytes, there.data()) == 0);
  std::size_t count = 0;
  for (const unsigned char each : there) count += each & 1;
  return count;
}

std::vector<void*> fill(ElementBlock& block) {
  std::vector<void*> all;
  while (void* const place = block.take()) {
    memset(place, static_cast<int>(all.size()), bytes);
    all.push_back(place);
  }
  return all;
}

}  // namespace

TEST_CASE("element block: without one there is no place, and nothing is in it") {
  ElementBlock block;
  int outside = 0;
  CHECK(block.take() == nullptr);
  CHECK_FALSE(block.has(&outside));
  block.reserve(100, 72);  // too few for one
  CHECK(block.take() == nullptr);
}

TEST_CASE(
    "element block: places are apart from each other, and as many as were asked for and fit with them") {
  ElementBlock block;
  block.reserve(2 * in_piece + 1, bytes);
  const std::vector<void*> all = fill(block);
  CHECK(all.size() == 3 * in_piece);
  const std::set<void*> sorted(all.begin(), all.end());
  REQUIRE(sorted.size() == all.size());
  const auto* before = static_cast<const std::byte*>(nullptr);
  for (void* const place : sorted) {
    CHECK(block.has(place));
    CHECK(reinterpret_cast<std::uintptr_t>(place) % 8 == 0);
    if (before) CHECK(static_cast<const std::byte*>(place) - before >= static_cast<std::ptrdiff_t>(bytes));
    before = static_cast<const std::byte*>(place);
  }
  int outside = 0;
  CHECK_FALSE(block.has(&outside));
}

TEST_CASE("element block: what is given is taken again, whatever the order, and touches no other element") {
  ElementBlock block;
  block.reserve(3 * in_piece, bytes);
  std::vector<void*> here = fill(block);
  const std::size_t capacity = here.size();
  std::mt19937 random(1);
  std::vector<unsigned char> marks;
  for (std::size_t i = 0; i < here.size(); ++i) marks.push_back(static_cast<unsigned char>(i));
  for (int step = 0; step < 20'000; ++step) {
    // In every second stretch of 2000 steps elements leave more often than they come.
    const bool goes = step % 4000 < 2000 ? random() % 4 == 0 : random() % 4 != 0;
    if (goes && !here.empty()) {
      const std::size_t which = random() % here.size();
      const auto* const first = static_cast<const unsigned char*>(here[which]);
      REQUIRE(first[0] == marks[which]);
      REQUIRE(first[bytes - 1] == marks[which]);
      block.give(here[which]);
      std::swap(here[which], here.back());
      std::swap(marks[which], marks.back());
      here.pop_back();
      marks.pop_back();
    } else if (void* const place = block.take()) {
      marks.push_back(static_cast<unsigned char>(random()));
      memset(place, marks.back(), bytes);
      here.push_back(place);
    } else {
      REQUIRE(here.size() == capacity);
    }
  }
  CHECK(std::set<void*>(here.begin(), here.end()).size() == here.size());
}

TEST_CASE("element block: pieces that have become empty are given back, but for one") {
  ElementBlock block;
  block.reserve(4 * in_piece, bytes);
  const std::vector<void*> all = fill(block);
  REQUIRE(all.size() == 4 * in_piece);
  for (void* const place : all) block.give(place);
  std::size_t with_pages = 0;
  for (std::size_t piece = 0; piece < 4; ++piece) with_pages += pages_of(all[piece * in_piece]) > 0;
  CHECK(with_pages == 1);
  CHECK(fill(block).size() == all.size());  // the free places are taken again
}
