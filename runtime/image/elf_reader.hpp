// SPDX-License-Identifier: Apache-2.0
// Bounds-checked access to the bytes of an ELF file, by offset in the file and by address. Every read outside
// the file throws skein::Error; nothing here assumes alignment.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace skein::image {

class ElfReader {
 public:
  ElfReader(const std::string& path, const std::byte* bytes, std::size_t size)
      : path_(path), bytes_(bytes), size_(size) {}

  /// Reads the program headers that `header` names; by_address() works from then on.
  void read_segments(const Elf64_Ehdr& header);
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  const Elf64_Phdr* segment(std::uint32_t type) const;

  /// Returns the file's section headers; none if they were stripped, or are damaged: loading does not depend
  /// on them.
  std::vector<Elf64_Shdr> sections(const Elf64_Ehdr& header) const;
  /// Returns the section's name; empty if it has none.
  std::string_view section_name(const Elf64_Ehdr& header, const Elf64_Shdr& section) const;

  /// Returns `count` bytes at a file offset. `what` names them in the error.
  const std::byte* at_offset(std::uint64_t offset, std::uint64_t count, const char* what) const;
  /// Returns `count` bytes at an address that a loaded segment's file contents cover.
  const std::byte* at_address(std::uint64_t address, std::uint64_t count, const char* what) const;
  /// Returns how many bytes from the address on the file backs; 0 if it is in no segment.
  std::uint64_t backed_bytes(std::uint64_t address) const;

  template <class T>
  T object_at_offset(std::uint64_t offset, const char* what) const {
    T value;
    memcpy(&value, at_offset(offset, sizeof(T), what), sizeof(T));
    return value;
  }
  template <class T>
  T object_at_address(std::uint64_t address, const char* what) const {
    T value;
    memcpy(&value, at_address(address, sizeof(T), what), sizeof(T));
    return value;
  }
  /// Returns a whole array; checks its byte count for overflow first.
  template <class T>
  std::vector<T> array_at_address(std::uint64_t address, std::uint64_t count, const char* what) const {
    if (count > size_ / sizeof(T))
      fail("its %s has %llu entries, more than the file holds", what, static_cast<unsigned long long>(count));
    std::vector<T> values(count);
    if (count) memcpy(values.data(), at_address(address, count * sizeof(T), what), count * sizeof(T));
    return values;
  }
  /// Returns a zero-terminated string at `address`, no longer than `limit`.
  std::string_view string_at(std::uint64_t address, std::uint64_t limit, const char* what) const;

  /// Throws Error("<path>: damaged ELF file: <message>").
  [[noreturn]] void fail(const char* format, ...) const __attribute__((format(printf, 2, 3)));

 private:
  const std::string& path_;
  const std::byte* bytes_;
  std::size_t size_;
  std::vector<Elf64_Phdr> segments_;
};

class ElfFile;
class ElfReader;

/// Fills in what the dynamic section says: needed libraries, symbols, relocations, constructors. The
/// segments of `file` have been read. Throws skein::Error when a table is damaged or a relocation is of a
/// kind that Skein can not apply.
void read_dynamic_section(const ElfReader& reader, ElfFile& file);

}  // namespace skein::image
