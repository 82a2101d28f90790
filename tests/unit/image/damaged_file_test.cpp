// SPDX-License-Identifier: Apache-2.0
// Damaged files: whatever the damage, reading and linking a file ends in an Error or in a result, never in a
// crash or in unbounded memory. Run this with the sanitizers to see accesses out of bounds that do not crash.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/base/error.hpp"
#include "runtime/image/elf_file.hpp"
#include "runtime/image/linker.hpp"
#include "runtime/image/resolver.hpp"
#include "runtime/image/tls.hpp"
#include "tests/unit/image/files.hpp"

using namespace skein::image;
using skein::test::built_file;
using skein::test::MemoryFile;

namespace {

// Together these files hold all tables and relocations that there are. (Not every compiler makes each file.)
std::vector<std::string> files_to_damage() {
  std::vector<std::string> names;
  const std::vector<std::string> built = skein::test::built_files();
  for (const char* name :
       {"c_pie", "c_pie_old_hash", "c_pie_packed_relocations", "c_tls_descriptors", "c_tls_initial_exec"})
    if (std::find(built.begin(), built.end(), built_file(name)) != built.end()) names.emplace_back(name);
  return names;
}

/// Returns a resolver that knows the functions which programs expect of a launcher, so that intact files
/// link.
Resolver make_resolver() {
  static char place[16];
  static const skein::libc::Override functions[] = {{"skein_test_rank", place},
                                                    {"skein_test_yield", place},
                                                    {"skein_test_fail", place},
                                                    {"skein_test_reached", place}};
  Resolver resolver;
  resolver.add_overrides(functions);
  return resolver;
}

/// Reads and links the bytes as Program does. Returns true if that succeeded.
bool load(const std::string& bytes, Resolver& resolver) {
  const MemoryFile file(bytes);
  try {
    std::vector<std::unique_ptr<Image>> images;
    images.push_back(std::make_unique<Image>(file.path(), FileRole::program));
    images[0]->offset = -images[0]->file.lowest;
    const Resolver::Scope scope{images[0].get()};
    place_tls(images, find_static_tls(scope, resolver), images[0]->file.span);
    link_images(scope, scope, resolver);
    return true;
  } catch (const skein::Error& error) {
    CHECK(std::string(error.what()).size() > 10);
    return false;
  }
}

/// Returns the offsets of all bytes that describe the file: headers, dynamic section, and all that precedes
/// the code (symbols, hash tables, versions, relocations).
std::vector<std::size_t> telling_bytes(const std::string& path) {
  const ElfFile file(path, FileRole::library);
  std::set<std::size_t> offsets;
  std::size_t before_code = 4096;
  for (const Elf64_Phdr& s : file.program_headers) {
    if (s.p_type == PT_LOAD && s.p_offset == 0) before_code = s.p_filesz;
    if (s.p_type == PT_DYNAMIC)
      for (std::size_t i = 0; i < s.p_filesz; ++i) offsets.insert(s.p_offset + i);
  }
  for (std::size_t i = 0; i < before_code; ++i) offsets.insert(i);
  return {offsets.begin(), offsets.end()};
}

}  // namespace

TEST_CASE("damaged file: every byte that describes the file, changed in turn") {
  Resolver resolver = make_resolver();
  for (const std::string& name : files_to_damage()) {
    const std::string intact = skein::test::read_file(built_file(name));
    int loaded = 0, refused = 0;
    for (const std::size_t offset : telling_bytes(built_file(name))) {
      // Change each byte in one way, and the byte of the same field in the next entry, which is 8, 16 or 24
      // bytes away, in another way.
      const int change = std::array{0x01, 0x80, 0xff}[(offset + offset / 24) % 3];
      CAPTURE(name);
      CAPTURE(offset);
      std::string bytes = intact;
      bytes[offset] = static_cast<char>(bytes[offset] ^ change);
      ++(load(bytes, resolver) ? loaded : refused);
    }
    CHECK(loaded > 100);   // changed addends and paddings do not stop a file from loading
    CHECK(refused > 100);  // changed sizes, types and names do
  }
}

TEST_CASE("damaged file: cut off at any length") {
  Resolver resolver = make_resolver();
  for (const std::string& name : files_to_damage()) {
    const std::string intact = skein::test::read_file(built_file(name));
    std::size_t needed = 0;  // up to the end of the last segment; section headers may be missing
    for (const Elf64_Phdr& s : ElfFile(built_file(name), FileRole::library).program_headers)
      if (s.p_type == PT_LOAD) needed = std::max<std::size_t>(needed, s.p_offset + s.p_filesz);
    for (std::size_t length = 0; length < intact.size(); length += length < 2048 ? 1 : 127) {
      CAPTURE(name);
      CAPTURE(length);
      if (length < needed) CHECK(!load(intact.substr(0, length), resolver));
    }
    CHECK(load(intact.substr(0, needed), resolver));
  }
}

TEST_CASE("damaged file: sizes near the ends of the number range") {
  Resolver resolver = make_resolver();
  const std::string intact = skein::test::read_file(built_file("c_pie"));
  Elf64_Ehdr header;
  memcpy(&header, intact.data(), sizeof header);
  const std::uint64_t values[] = {0,
                                  1,
                                  0x7fffffffffffffff,
                                  0x8000000000000000,
                                  ~std::uint64_t{0},
                                  ~std::uint64_t{0} - 4095,
                                  std::uint64_t{1} << 35};
  for (unsigned segment = 0; segment < header.e_phnum; ++segment)
    for (std::size_t field = 8; field < sizeof(Elf64_Phdr); field += 8)
      for (const std::uint64_t value : values) {
        CAPTURE(segment);
        CAPTURE(field);
        CAPTURE(value);
        std::string bytes = intact;
        memcpy(bytes.data() + header.e_phoff + segment * sizeof(Elf64_Phdr) + field, &value, sizeof value);
        load(bytes, resolver);
      }
  rusage use;
  getrusage(RUSAGE_SELF, &use);
  CHECK(use.ru_maxrss < 1024 * 1024);  // KiB: no field made the loader allocate as much as it says
}
