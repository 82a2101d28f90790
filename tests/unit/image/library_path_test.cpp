// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/library_path.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/unit/image/files.hpp"

using namespace skein::image;
using skein::test::built_file;
namespace fs = std::filesystem;

namespace {

/// Directories one, two and three, each with the file libx.so, and two files that chain to it.
struct Directories {
  Directories() : root(fs::temp_directory_path() / ("skein-path-" + std::to_string(getpid()))) {
    for (const char* name : {"one", "two", "three"}) {
      fs::create_directories(root / name);
      std::ofstream(root / name / "libx.so") << "x";
    }
    program.runpath.clear();
    library.runpath.clear();
  }
  ~Directories() {
    fs::remove_all(root);
    unsetenv("LD_LIBRARY_PATH");
  }
  std::string in(const char* name) const { return (root / name).string(); }

  fs::path root;
  ElfFile program{built_file("c_pie"), FileRole::program};
  ElfFile library{built_file("c_shared"), FileRole::library};
  const ElfFile* chain[2] = {&program, &library};
};

}  // namespace

// The order is that of ld.so(8).
TEST_CASE("library path: DT_RPATH of the whole chain, then LD_LIBRARY_PATH, then DT_RUNPATH") {
  Directories d;
  d.program.rpath = d.in("one");
  setenv("LD_LIBRARY_PATH", d.in("two").c_str(), 1);
  CHECK(LibraryPath().find("libx.so", d.chain) == d.in("one") + "/libx.so");

  d.library.runpath = d.in("three");  // makes the linker ignore every DT_RPATH
  CHECK(LibraryPath().find("libx.so", d.chain) == d.in("two") + "/libx.so");

  unsetenv("LD_LIBRARY_PATH");
  CHECK(LibraryPath().find("libx.so", d.chain) == d.in("three") + "/libx.so");

  d.library.runpath.clear();
  d.program.rpath.clear();
  d.program.runpath = d.in("one");  // of another file than the one that needs the library
  CHECK(LibraryPath().find("libx.so", d.chain).empty());
}

TEST_CASE("library path: $ORIGIN is the directory of the file that says so") {
  Directories d;
  const std::string name = d.program.path.substr(d.program.path.rfind('/') + 1);
  for (const char* origin : {"$ORIGIN", "${ORIGIN}/../image"}) {
    d.library.runpath = std::string("/nowhere:") + origin;
    CHECK(fs::equivalent(LibraryPath().find(name, d.chain), d.program.path));
  }
}

TEST_CASE("library path: the C library is found by the system's cache or directories") {
  Directories d;
  const std::string path = LibraryPath().find("libc.so.6", d.chain);
  REQUIRE(!path.empty());
  CHECK(ElfFile(path, FileRole::library).soname == "libc.so.6");
  CHECK(LibraryPath().find("libno-such-library.so", d.chain).empty());
  CHECK(LibraryPath().find(path, d.chain) == path);
}

TEST_CASE("library cache: only 64-bit x86-64 entries for every processor count, and damage is survived") {
  std::string bytes = "glibc-ld.so.cache1.1";
  const auto word = [&](std::uint32_t value) { bytes.append(reinterpret_cast<const char*>(&value), 4); };
  const std::string strings{"liba.so\0/x/liba.so\0", 19};
  const std::uint32_t at = 20 + 7 * 4 + 3 * 24;
  for (const std::uint32_t value : {3u, 19u, 0u, 0u, 0u, 0u, 0u}) word(value);
  for (const auto& [flags, hardware] :
       {std::pair{0x0003u, 0u}, std::pair{0x0303u, 1u}, std::pair{0x0303u, 0u}})
    for (const std::uint32_t value : {flags, at, at + 8, 0u, hardware, 0u}) word(value);
  const std::size_t before_third = bytes.size() - 24;
  bytes += strings;

  const auto libraries = parse_library_cache(bytes);
  REQUIRE(libraries.size() == 1);
  CHECK(libraries.at("liba.so") == "/x/liba.so");
  CHECK(parse_library_cache(bytes.substr(0, before_third)).empty());
  CHECK(parse_library_cache("text").empty());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    CHECK(parse_library_cache(bytes.substr(0, length)).size() <= 1);
}
