// SPDX-License-Identifier: Apache-2.0
// Compares what the reader reports of files with readelf (GNU binutils), and checks the reader's errors.
#include "runtime/image/elf_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/base/error.hpp"
#include "tests/unit/image/files.hpp"

using namespace skein::image;
using skein::test::built_file;
using skein::test::built_files;
using skein::test::MemoryFile;
using skein::test::read_file;

namespace {

/// Returns the lines that `readelf OPTION FILE` prints.
std::vector<std::string> readelf(const std::string& option, const std::string& file) {
  std::vector<std::string> lines;
  FILE* pipe = popen(("LC_ALL=C readelf -W " + option + " '" + file + "'").c_str(), "r");
  REQUIRE(pipe);
  char line[4096];
  while (fgets(line, sizeof line, pipe)) lines.emplace_back(line);
  REQUIRE(pclose(pipe) == 0);
  return lines;
}

std::vector<std::string> names_in_brackets(const std::vector<std::string>& lines, const std::string& tag) {
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    const std::size_t begin = line.find('['), end = line.find(']');
    if (line.find(tag) != std::string::npos && begin != std::string::npos)
      names.push_back(line.substr(begin + 1, end - begin - 1));
  }
  return names;
}

std::string error_of(const std::string& path, FileRole role = FileRole::program) {
  try {
    ElfFile file(path, role);
  } catch (const skein::Error& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of_bytes(const std::string& bytes) { return error_of(MemoryFile(bytes).path()); }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("elf: needed libraries, symbols and relocations are those that readelf lists") {
  for (const std::string& path : built_files()) {
    CAPTURE(path);
    const ElfFile file(path, FileRole::library);
    const auto dynamic = readelf("-d", path);
    CHECK(file.needed == names_in_brackets(dynamic, "(NEEDED)"));
    const auto soname = names_in_brackets(dynamic, "(SONAME)");
    CHECK(file.soname == (soname.empty() ? path.substr(path.rfind('/') + 1) : soname[0]));

    std::size_t relocations = 0, symbols = 0;
    for (const std::string& line : readelf("-r", path)) relocations += contains(line, " R_X86_64_");
    CHECK(file.relocations.size() == relocations);
    for (const std::string& line : readelf("--dyn-syms", path))
      sscanf(line.c_str(), "Symbol table '.dynsym' contains %zu", &symbols);
    CHECK(file.symbols.size() == symbols);
  }
}

TEST_CASE("elf: segments are those that readelf lists") {
  for (const std::string& path : built_files()) {
    CAPTURE(path);
    const ElfFile file(path, FileRole::library);
    unsigned long long lowest = ~0ull, end = 0, writable = 0, tls_bytes = 0, frames = 0;
    for (const std::string& line : readelf("-l", path)) {
      char type[32];
      unsigned long long offset, address, physical, in_file, in_memory;
      if (sscanf(line.c_str(), " %31s %llx %llx %llx %llx %llx", type, &offset, &address, &physical, &in_file,
                 &in_memory) != 6)
        continue;
      if (type == std::string("LOAD")) {
        lowest = std::min(lowest, address & ~0xfffull);
        end = std::max(end, (address + in_memory + 0xfff) & ~0xfffull);
        if (contains(line, "RW")) writable += in_memory;
      }
      if (type == std::string("TLS")) tls_bytes = in_memory;
      if (type == std::string("GNU_EH_FRAME")) frames = address;
    }
    CHECK(file.lowest == lowest);
    CHECK(file.span == end - lowest);
    CHECK(file.tls.bytes == tls_bytes);
    CHECK(file.eh_frame_header == frames);
    std::uint64_t data_bytes = 0;
    for (const DataRun& run : file.data) data_bytes += run.bytes;
    CHECK(data_bytes == writable);
  }
}

TEST_CASE("elf: data decides how a file is aligned, not the page size that its linker reckoned with") {
  CHECK(ElfFile(built_file("aligned_pie"), FileRole::program).alignment == 65536);
  CHECK(ElfFile(built_file("libaligned.so"), FileRole::library).alignment == 2097152);
  CHECK(ElfFile(built_file("c_pie"), FileRole::program).alignment == 4096);
  CHECK(ElfFile(built_file("c_pie_large_pages"), FileRole::program).alignment == 4096);
  // Without section headers nothing tells the alignment of data from the linker's page size.
  std::string bytes = read_file(built_file("c_pie_large_pages"));
  memset(bytes.data() + offsetof(Elf64_Ehdr, e_shnum), 0, sizeof(Elf64_Half));
  CHECK(ElfFile(MemoryFile(bytes).path(), FileRole::program).alignment == 2097152);
}

TEST_CASE("elf: packed relocations are as many as the same program has unpacked") {
  // The two differ in one linker option; RELATIVE relocations become packed ones.
  const ElfFile plain(built_file("c_pie"), FileRole::program);
  const ElfFile packed(built_file("c_pie_packed_relocations"), FileRole::program);
  const auto is_relative = [](const Relocation& r) { return r.type == R_X86_64_RELATIVE; };
  const auto count = [&](const ElfFile& f) {
    return static_cast<std::size_t>(std::count_if(f.relocations.begin(), f.relocations.end(), is_relative)) +
           f.relative.size();
  };
  CHECK(plain.relative.empty());
  CHECK(packed.relative.size() > 0);
  CHECK(count(packed) == count(plain));
}

TEST_CASE("elf: references know the version that they ask for") {
  const ElfFile file(built_file("c_pie"), FileRole::program);
  const auto found = std::find_if(file.symbols.begin(), file.symbols.end(),
                                  [](const Symbol& s) { return s.name == "__libc_start_main"; });
  REQUIRE(found != file.symbols.end());
  CHECK(found->version.starts_with("GLIBC_2."));
  CHECK(!found->defined);
}

TEST_CASE("elf: what cannot be loaded is refused with the reason and the remedy") {
  CHECK(contains(error_of("/nowhere/at/all"), "cannot open the program /nowhere/at/all: No such file"));
  CHECK(contains(error_of("/tmp"), "is a directory"));
  CHECK(contains(error_of("/dev/null"), "no ordinary file"));
  CHECK(contains(error_of_bytes(("")), "is empty"));
  CHECK(contains(error_of_bytes(("#!/bin/sh\n")), "is a script"));
  CHECK(contains(error_of_bytes(("just text")), "not an ELF file"));
  CHECK(contains(error_of_bytes(("\x7f"
                                 "ELF\2\1\1")),
                 "ends inside its header"));
  CHECK(contains(error_of(built_file("not_pie")), "-fPIE"));
  CHECK(contains(error_of(built_file("static")), "without -static"));
  CHECK(contains(error_of(built_file("static_pie")), "-static-pie"));
  CHECK(contains(error_of(built_file("object.o")), "object file"));
  CHECK(contains(error_of(built_file("text_relocations")), "text relocations"));
}

TEST_CASE("elf: files for other machines are refused by name") {
  std::string bytes = skein::test::read_file(built_file("c_pie"));
  bytes[18] = static_cast<char>(EM_AARCH64);  // e_machine
  bytes[19] = static_cast<char>(EM_AARCH64 >> 8);
  CHECK(contains(error_of_bytes((bytes)), "AArch64"));
  bytes[18] = EM_386;
  bytes[19] = 0;
  bytes[4] = ELFCLASS32;  // EI_CLASS
  CHECK(contains(error_of_bytes((bytes)), "32-bit x86"));
}

TEST_CASE("elf: a file that is overwritten later is noticed, one that is only touched is not") {
  const std::string bytes = skein::test::read_file(built_file("c_pie"));
  for (const bool shorter : {false, true}) {
    const MemoryFile copy(bytes);
    ElfFile file(copy.path(), FileRole::program);
    CHECK(file.unchanged());
    const timespec times[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
    REQUIRE(utimensat(AT_FDCWD, copy.path().c_str(), times, 0) == 0);
    CHECK(file.unchanged());
    FILE* again = fopen(copy.path().c_str(), "r+");
    REQUIRE(again);
    if (shorter) {
      REQUIRE(ftruncate(fileno(again), 4096) == 0);
    } else {
      std::string other = bytes;
      other[offsetof(Elf64_Ehdr, e_entry)] ^= 1;
      REQUIRE(fwrite(other.data(), 1, other.size(), again) == other.size());
    }
    fclose(again);
    CHECK(!file.unchanged());
  }
}
