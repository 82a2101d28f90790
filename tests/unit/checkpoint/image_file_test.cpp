// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/image_file.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "tests/unit/checkpoint/refusal.hpp"
#include "tests/unit/lb/scratch_folder.hpp"

using namespace skein::checkpoint;
using skein::lb::test::ScratchFolder;

namespace {

/// Returns random bytes, which do not compress: a file is as long as its contents.
std::vector<std::byte> noise(std::size_t bytes, unsigned seed) {
  std::mt19937 draw(seed);
  std::vector<std::byte> data(bytes);
  for (std::byte& each : data) each = static_cast<std::byte>(draw());
  return data;
}

Run run_of(const std::vector<std::byte>& data) {
  return {reinterpret_cast<std::uint64_t>(data.data()), data.size()};
}

/// Reads an image and compares it with what was written.
void check_image(ImageReader& reader, std::uint64_t offset, std::uint64_t stored,
                 const std::vector<const std::vector<std::byte>*>& written) {
  const std::vector<Run> runs = reader.begin(offset, stored);
  REQUIRE(runs.size() == written.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    CHECK(runs[i].address == reinterpret_cast<std::uint64_t>(written[i]->data()));
    REQUIRE(runs[i].bytes == written[i]->size());
    std::vector<std::byte> read(runs[i].bytes);
    const std::size_t half = read.size() / 2;
    reader.take(std::span(read).first(half));
    reader.take(std::span(read).subspan(half));
    CHECK(read == *written[i]);
  }
  reader.end();
}

}  // namespace

TEST_CASE("images: several of them come back as they were, over the ends of frames") {
  const ScratchFolder folder;
  const auto small = noise(4096, 1), large = noise(3 * kFrameBytes + 4096, 2), exact = noise(kFrameBytes, 3);
  const std::vector<std::byte> zeroes(2 * kFrameBytes);
  ImageWriter writer(folder / "images");
  const Run first[] = {run_of(small), run_of(large)}, second[] = {run_of(zeroes)}, fourth[] = {run_of(exact)};
  const std::uint64_t a = writer.put(first), b = writer.put(second), c = writer.put({}),
                      d = writer.put(fourth);
  CHECK(writer.offset() == a + b + c + d);
  writer.finish(true);
  CHECK(std::filesystem::file_size(folder / "images") == a + b + c + d);
  CHECK(b < 4096);  // nothing but zeroes

  ImageReader reader(folder / "images");
  check_image(reader, a + b + c, d, {&exact});
  check_image(reader, a, b, {&zeroes});
  check_image(reader, a + b, c, {});
  check_image(reader, 0, a, {&small, &large});
}

TEST_CASE(
    "images: a file that was cut anywhere, or in which a bit was turned, is damaged, and the byte is named") {
  const ScratchFolder folder;
  const auto data = noise(20'000, 4);
  const Run runs[] = {run_of(data)};
  ImageWriter writer(folder / "images");
  const std::uint64_t stored = writer.put(runs);
  writer.finish(false);
  std::ifstream file(folder / "images", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(whole.size() == stored);
  const auto read = [&](const std::string& contents) {
    std::ofstream(folder / "other", std::ios::binary) << contents;
    return refusal([&] {
      ImageReader reader(folder / "other");
      check_image(reader, 0, stored, {&data});
    });
  };
  CHECK(read(whole) == "accepted");
  std::mt19937 draw(5);
  for (int i = 0; i < 50; ++i) {
    const std::size_t length = draw() % whole.size();
    const std::string said = read(whole.substr(0, length));
    CHECK_MESSAGE(said.find(folder / "other" + ": is damaged at byte " + std::to_string(length) + ":") == 0,
                  said);
    std::string turned = whole;
    turned[draw() % turned.size()] ^= static_cast<char>(1 << draw() % 8);
    CHECK_MESSAGE(read(turned).find("is damaged at byte ") != std::string::npos, read(turned));
  }
}

TEST_CASE(
    "images: plain ones take the bytes of their runs and a table, on whole pages, and are written over") {
  constexpr std::size_t kPage = 4096;
  const ScratchFolder folder;
  const std::string name = folder / "images";
  const auto small = noise(kPage, 6), large = noise(100'000, 7);
  const Run both[] = {run_of(small), run_of(large)}, one[] = {run_of(small)};
  auto contents = small;
  contents.insert(contents.end(), large.begin(), large.end());
  MappedFile file;
  for (int i = 0; i < 2; ++i) {
    file.begin(name);
    PlainWriter writer(file);
    const std::uint64_t a = writer.put(one), at = writer.offset(), b = writer.put(both, contents.data());
    CHECK(a == kPage + 16 + 8);
    CHECK(at == 2 * kPage);
    CHECK(b == kPage + 100'000 + 2 * 16 + 8);
    writer.finish();
    CHECK(std::filesystem::file_size(name) == writer.offset());
    ImageReader reader(name, Form::plain);
    check_image(reader, at, b, {&small, &large});
    check_image(reader, 0, a, {&small});
  }
  file.begin(name);
  PlainWriter writer(file);
  const std::uint64_t stored = writer.put(one);
  writer.finish();
  CHECK(std::filesystem::file_size(name) == 2 * kPage);
  ImageReader reader(name, Form::plain);
  check_image(reader, 0, stored, {&small});
  for (const auto& [offset, bytes] : {std::pair(1, stored), {0, stored - 1}, {0, 7}, {0, 2 * kPage + 1}})
    CHECK(refusal([&] { check_image(reader, offset, bytes, {&small}); }).find("is damaged at byte") !=
          std::string::npos);
  CHECK(refusal([&] { ImageWriter(folder / "images"); }).find("File exists") != std::string::npos);
}

TEST_CASE("images: plain ones of pages leave out those of zeros") {
  constexpr std::size_t kPage = 4096, kPages = 200;
  const ScratchFolder folder;
  const std::unique_ptr<void, decltype(&free)> room(aligned_alloc(kPage, kPages * kPage), &free);
  auto* const pages = static_cast<std::byte*>(room.get());
  memset(pages, 0, kPages * kPage);
  std::vector<Run> expected;
  const auto begin = reinterpret_cast<std::uint64_t>(pages);
  for (std::size_t page = 0; page < kPages; ++page) {
    if (page % 7 == 3 || (page > 90 && page < 100)) continue;
    pages[page * kPage + page * 20] = static_cast<std::byte>(page + 1);
    if (!expected.empty() && expected.back().address + expected.back().bytes == begin + page * kPage)
      expected.back().bytes += kPage;
    else
      expected.push_back({begin + page * kPage, kPage});
  }
  const Run runs[] = {{begin, 65 * kPage}, {begin + 65 * kPage, (kPages - 65) * kPage}};
  MappedFile file;
  file.begin(folder / "images");
  PlainWriter writer(file);
  const std::uint64_t stored = writer.put(runs);
  writer.finish();
  ImageReader reader(folder / "images", Form::plain);
  const std::vector<Run> read = reader.begin(0, stored);
  REQUIRE(read.size() == expected.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    REQUIRE(read[i].address == expected[i].address);
    REQUIRE(read[i].bytes == expected[i].bytes);
    std::vector<std::byte> bytes(read[i].bytes);
    reader.take(bytes);
    CHECK(memcmp(bytes.data(), reinterpret_cast<const void*>(read[i].address), bytes.size()) == 0);
  }
  reader.end();
}

TEST_CASE("images: pages of zeros are left out, and those that one byte of is another stay") {
  constexpr std::size_t kPage = 4096;
  const auto room = std::make_unique<std::byte[]>(10 * kPage);
  const auto begin = (reinterpret_cast<std::uint64_t>(room.get()) + kPage - 1) / kPage * kPage;
  auto* const pages = reinterpret_cast<std::byte*>(begin);
  memset(pages, 0, 9 * kPage);
  pages[1 * kPage] = std::byte{1};              // its first byte
  pages[3 * kPage - 1] = std::byte{1};          // the last of page 2
  pages[5 * kPage + 77] = std::byte{1};         // in the middle
  pages[8 * kPage + kPage / 2] = std::byte{1};  // behind the run of pages 0 to 7
  const Run runs[] = {{begin, 2 * kPage}, {begin + 2 * kPage, 6 * kPage}};
  const std::vector<Run> left = without_zero_pages(runs);
  REQUIRE(left.size() == 2);
  CHECK(left[0].address == begin + kPage);
  CHECK(left[0].bytes == 2 * kPage);
  CHECK(left[1].address == begin + 5 * kPage);
  CHECK(left[1].bytes == kPage);
  CHECK(without_zero_pages({}).empty());
}

TEST_CASE("images: a disk that is full is named") {
  if (access("/dev/full", W_OK) != 0) return;
  const ScratchFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "full");
  CHECK(refusal([&] { ImageWriter(folder / "full"); }).find("full: cannot be written: File exists") !=
        std::string::npos);
  CHECK(refusal([&] { ImageWriter(folder / "none/images"); }).find("No such file") != std::string::npos);
}
