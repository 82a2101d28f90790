// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/elf_reader.hpp"

#include <cstdarg>
#include <cstdio>

#include "runtime/base/error.hpp"

namespace skein::image {

void ElfReader::fail(const char* format, ...) const {
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  throw Error(path_ + ": damaged ELF file: " + message);
}

void ElfReader::read_segments(const Elf64_Ehdr& header) {
  if (header.e_phentsize != sizeof(Elf64_Phdr))
    fail("program headers of %u bytes, not %zu", header.e_phentsize, sizeof(Elf64_Phdr));
  const std::byte* table =
      at_offset(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr), "program header table");
  segments_.resize(header.e_phnum);
  if (header.e_phnum) memcpy(segments_.data(), table, segments_.size() * sizeof(Elf64_Phdr));
  for (const Elf64_Phdr& s : segments_) {
    if (s.p_type != PT_LOAD) continue;
    at_offset(s.p_offset, s.p_filesz, "segment");
    if (s.p_filesz > s.p_memsz) fail("a segment has more contents than memory");
    if (s.p_vaddr + s.p_memsz < s.p_vaddr) fail("a segment wraps around the address space");
  }
}

const Elf64_Phdr* ElfReader::segment(std::uint32_t type) const {
  for (const Elf64_Phdr& s : segments_)
    if (s.p_type == type) return &s;
  return nullptr;
}

std::vector<Elf64_Shdr> ElfReader::sections(const Elf64_Ehdr& header) const {
  const std::uint64_t bytes = std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > size_ || bytes > size_ - header.e_shoff)
    return {};
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (bytes) memcpy(sections.data(), bytes_ + header.e_shoff, bytes);
  return sections;
}

std::string_view ElfReader::section_name(const Elf64_Ehdr& header, const Elf64_Shdr& section) const {
  const std::vector<Elf64_Shdr> all = sections(header);
  if (header.e_shstrndx >= all.size()) return {};
  const Elf64_Shdr& names = all[header.e_shstrndx];
  if (names.sh_offset > size_ || names.sh_size > size_ - names.sh_offset || section.sh_name >= names.sh_size)
    return {};
  const char* const begin = reinterpret_cast<const char*>(bytes_ + names.sh_offset + section.sh_name);
  return {begin, strnlen(begin, names.sh_size - section.sh_name)};
}

const std::byte* ElfReader::at_offset(std::uint64_t offset, std::uint64_t count, const char* what) const {
  if (offset > size_ || count > size_ - offset)
    fail("its %s (%llu bytes at offset %llu) lies outside the file of %zu bytes", what,
         static_cast<unsigned long long>(count), static_cast<unsigned long long>(offset), size_);
  return bytes_ + offset;
}

std::uint64_t ElfReader::backed_bytes(std::uint64_t address) const {
  for (const Elf64_Phdr& s : segments_)
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz)
      return s.p_filesz - (address - s.p_vaddr);
  return 0;
}

const std::byte* ElfReader::at_address(std::uint64_t address, std::uint64_t count, const char* what) const {
  for (const Elf64_Phdr& s : segments_) {
    if (s.p_type != PT_LOAD || address < s.p_vaddr || address - s.p_vaddr > s.p_filesz) continue;
    const std::uint64_t into = address - s.p_vaddr;
    if (count <= s.p_filesz - into) return at_offset(s.p_offset + into, count, what);
  }
  fail("its %s (%llu bytes at address 0x%llx) lies in no loaded segment", what,
       static_cast<unsigned long long>(count), static_cast<unsigned long long>(address));
}

std::string_view ElfReader::string_at(std::uint64_t address, std::uint64_t limit, const char* what) const {
  const std::uint64_t backed = backed_bytes(address);
  if (backed < limit) limit = backed;
  if (limit == 0) fail("its %s lies in no loaded segment", what);
  const char* begin = reinterpret_cast<const char*>(at_address(address, limit, what));
  const void* end = memchr(begin, 0, limit);
  if (!end) fail("its %s has no end", what);
  return {begin, static_cast<std::size_t>(static_cast<const char*>(end) - begin)};
}

}  // namespace skein::image
