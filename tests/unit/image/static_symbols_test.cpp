// SPDX-License-Identifier: Apache-2.0
// Compares the functions that the reader finds in a file with those that readelf lists.
#include "runtime/image/elf_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/image/files.hpp"

using skein::image::find_static_function;
using skein::image::has_static_symbol;
using namespace skein::test;

namespace {

struct Function {
  std::uint64_t address, bytes;
  std::string name;
};

/// Returns the functions of .symtab that are defined and have a size.
std::vector<Function> listed_functions(const std::string& path) {
  std::vector<Function> functions;
  FILE* const pipe = popen(("LC_ALL=C readelf -sW '" + path + "'").c_str(), "r");
  REQUIRE(pipe);
  char line[4096];
  bool in_table = false;
  while (fgets(line, sizeof line, pipe)) {
    if (std::string(line).find("Symbol table '") != std::string::npos)
      in_table = std::string(line).find("'.symtab'") != std::string::npos;
    std::istringstream words(line);
    std::string number, value, size, type, binding, visibility, section, name;
    words >> number >> value >> size >> type >> binding >> visibility >> section >> name;
    if (in_table && type == "FUNC" && section != "UND" && std::stoull(size, nullptr, 0) > 0)
      functions.push_back({std::stoull(value, nullptr, 16), std::stoull(size, nullptr, 0), name});
  }
  pclose(pipe);
  return functions;
}

std::string name_at(const std::string& path, std::uint64_t address, std::size_t room = 4096) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(descriptor >= 0);
  std::vector<char> name(room, '?');
  const bool found = find_static_function(descriptor, address, name.data(), room);
  close(descriptor);
  return found ? name.data() : "";
}

bool has(const std::string& path, const std::string& name) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(descriptor >= 0);
  const bool found = has_static_symbol(descriptor, name);
  close(descriptor);
  return found;
}

}  // namespace

TEST_CASE("static symbols: a file has each that readelf lists, whole, and a stripped one none") {
  const std::string path = built_file("c_pie");
  for (const Function& function : listed_functions(path)) CHECK(has(path, function.name));
  CHECK(!has(path, "mai"));
  CHECK(!has(path, "ain"));
  CHECK(!has(built_file("c_pie_stripped"), "main"));
}

TEST_CASE("static symbols: from its first byte to its last, a function is found by its name") {
  int found = 0;
  for (const std::string& path : built_files()) {
    const std::vector<Function> all = listed_functions(path);
    for (const Function& function : all) {
      CAPTURE(path);
      CAPTURE(function.name);
      for (const std::uint64_t at : {std::uint64_t{0}, function.bytes / 2, function.bytes - 1}) {
        // Several names may stand for one address.
        const std::string name = name_at(path, function.address + at);
        CHECK(std::any_of(all.begin(), all.end(), [&](const Function& other) {
          return other.name == name && function.address + at - other.address < other.bytes;
        }));
        ++found;
      }
    }
  }
  CHECK(found > 100);
}

TEST_CASE("static symbols: what is no function, or in a stripped file, has no name") {
  CHECK(name_at(built_file("c_pie"), 0).empty());
  CHECK(name_at(built_file("c_pie"), ~std::uint64_t{0}).empty());
  CHECK(listed_functions(built_file("c_pie_stripped")).empty());
  for (std::uint64_t address = 0x1000; address < 0x1400; ++address)
    CHECK(name_at(built_file("c_pie_stripped"), address).empty());
}

TEST_CASE("static symbols: a name longer than the room is cut") {
  const std::string path = built_file("c_pie");
  for (const Function& function : listed_functions(path))
    if (function.name == "main") {
      CHECK(name_at(path, function.address) == "main");
      CHECK(name_at(path, function.address, 3) == "ma");
    }
}

TEST_CASE("static symbols: a damaged file gives some answer, and no crash") {
  const std::string intact = read_file(built_file("c_pie"));
  const std::uint64_t main = [&] {
    for (const Function& function : listed_functions(built_file("c_pie")))
      if (function.name == "main") return function.address;
    return std::uint64_t{0};
  }();
  REQUIRE(main != 0);
  std::mt19937 random(9);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = intact;
    if (round % 2) bytes.resize(random() % bytes.size());
    // Change bytes of the ELF header, and of the section headers at the end of the file.
    for (int change = 0; change < 4 && !bytes.empty(); ++change) {
      const std::size_t end = std::min<std::size_t>(bytes.size(), 64),
                        tail = std::min<std::size_t>(bytes.size(), 2048);
      const std::size_t at = random() % 2 ? random() % end : bytes.size() - 1 - random() % tail;
      bytes[at] = static_cast<char>(random());
    }
    const MemoryFile file(bytes);
    CHECK(name_at(file.path(), main).size() < 4096);
    CHECK(!has(file.path(), "no such function"));
  }
}
