// SPDX-License-Identifier: Apache-2.0
#include "apps/common/picture.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

using apps::Field;
using apps::write_picture;

namespace {

struct File {
  std::string path;
  explicit File(const char* name) : path(name) {}
  ~File() { std::remove(path.c_str()); }
  std::string contents() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

}  // namespace

TEST_CASE("picture: a PPM has its head and the highest row first, from dark blue to yellow") {
  Field field(3, 2);
  field.at(0, 0) = -1;  // below
  field.at(1, 0) = field.at(2, 0) = field.at(1, 1) = 1;
  field.at(0, 1) = 3;  // above
  field.at(2, 1) = NAN;
  const File file("picture_test.ppm");
  write_picture(file.path, field);
  const std::string head = "P6\n3 2\n255\n", all = file.contents();
  REQUIRE(all.size() == head.size() + 18);
  CHECK(all.substr(0, head.size()) == head);
  const auto part = [&](std::size_t pixel, std::size_t colour) {
    return static_cast<int>(static_cast<unsigned char>(all[head.size() + 3 * pixel + colour]));
  };
  // matplotlib's colours: #440154, #21918c, #fde725; the fit is good to some 3 of 255.
  const int expected[][3] = {{0xfd, 0xe7, 0x25}, {0x21, 0x91, 0x8c}, {128, 128, 128},
                             {0x44, 0x01, 0x54}, {0x21, 0x91, 0x8c}, {0x21, 0x91, 0x8c}};
  for (std::size_t pixel = 0; pixel < 6; ++pixel)
    for (std::size_t colour = 0; colour < 3; ++colour)
      CHECK(std::abs(part(pixel, colour) - expected[pixel][colour]) <= 4);
}

TEST_CASE("picture: a field without differences is one colour, and an empty one is no mistake") {
  const File file("picture_test_even.ppm");
  write_picture(file.path, Field(4, 1));
  const std::string all = file.contents();
  for (std::size_t i = all.size() - 9; i < all.size(); ++i) CHECK(all[i] == all[i - 3]);
  write_picture(file.path, Field(0, 0));
  CHECK(file.contents() == "P6\n0 0\n255\n");
}

TEST_CASE("picture: what cannot be written is told with its path") {
  CHECK_THROWS_WITH(write_picture("/no/such/folder.ppm", Field(1, 1)),
                    "the picture cannot be written to /no/such/folder.ppm");
  CHECK_THROWS_AS(write_picture("/no/such/folder.png", Field(1, 1)), std::runtime_error);
}

TEST_CASE("picture: names tell pictures") {
  CHECK(apps::is_picture("a/b.ppm"));
  CHECK(apps::is_picture("x.png"));
  CHECK(!apps::is_picture("ppm"));
  CHECK(!apps::is_picture("cells.txt"));
}

TEST_CASE("picture: a PNG begins as PNGs do, where there is a library for it") {
  const File file("picture_test.png");
  try {
    write_picture(file.path, Field(5, 7));
  } catch (const std::runtime_error& error) {
    CHECK(std::string(error.what()).find("libpng was missing") != std::string::npos);
    return;
  }
  const std::string all = file.contents();
  // Signature, length and name of the first chunk, width, height (PNG, 3rd ed., 5.2 and 11.2.1).
  using namespace std::string_literals;
  CHECK(all.substr(0, 24) == "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x05\0\0\0\x07"s);
}
