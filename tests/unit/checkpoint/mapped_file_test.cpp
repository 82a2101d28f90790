// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/mapped_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/unit/checkpoint/refusal.hpp"
#include "tests/unit/lb/scratch_folder.hpp"

using namespace skein::checkpoint;
using skein::lb::test::ScratchFolder;

namespace {

void write(MappedFile& file, const std::string& path, std::size_t bytes, char value) {
  file.begin(path);
  for (std::size_t at = 0; at < bytes; at += 1000) {
    const std::size_t count = std::min<std::size_t>(1000, bytes - at);
    memset(file.room(at, count), value, count);
  }
  file.end(bytes);
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

ino_t number_of(const std::string& path) {
  struct stat status {};
  stat(path.c_str(), &status);
  return status.st_ino;
}

}  // namespace

TEST_CASE("mapped files: what is written over one is as long as it is, and nothing of before is left") {
  const ScratchFolder folder;
  const std::string path = folder / "file";
  MappedFile file;
  char value = 'a';
  for (const std::size_t bytes : {5'000'000, 4096, 0, 4097, 3'000'000, 1}) {
    write(file, path, bytes, ++value);
    CHECK(content(path) == std::string(bytes, value));
  }
}

TEST_CASE("mapped files: one that was renamed is the same, and another one of that name is not") {
  const ScratchFolder folder;
  const std::string path = folder / "file";
  MappedFile file;
  write(file, path, 10'000, 'a');
  const ino_t number = number_of(path);
  std::filesystem::rename(path, folder / "renamed");
  write(file, folder / "renamed", 9'000, 'b');
  CHECK(number_of(folder / "renamed") == number);
  CHECK(content(folder / "renamed") == std::string(9'000, 'b'));
  write(file, path, 8'000, 'c');
  CHECK(content(path) == std::string(8'000, 'c'));
  CHECK(content(folder / "renamed") == std::string(9'000, 'b'));
  std::filesystem::remove(path);
  write(file, path, 7'000, 'd');
  CHECK(content(path) == std::string(7'000, 'd'));
}

TEST_CASE("mapped files: they are read while they are written over") {
  const ScratchFolder folder;
  MappedFile first;
  write(first, folder / "first", 5000, '1');
  const MappedFile read(folder / "first");
  REQUIRE(read.bytes() == 5000);
  CHECK(std::string(reinterpret_cast<const char*>(read.memory()), 5000) == std::string(5000, '1'));
  write(first, folder / "first", 5000, '3');
  CHECK(read.memory()[4999] == std::byte{'3'});
}

TEST_CASE("mapped files: what cannot be opened is named") {
  const ScratchFolder folder;
  CHECK(refusal([&] { MappedFile(folder / "none"); }).find("none: cannot be opened: No such file") !=
        std::string::npos);
  MappedFile file;
  CHECK(refusal([&] { file.begin(folder / "none/file"); }).find("none/file: cannot be opened") !=
        std::string::npos);
}
