// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/elf_file.hpp"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace skein::image {
namespace {

bool read_at(int descriptor, std::uint64_t offset, void* to, std::size_t bytes) {
  return pread(descriptor, to, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
}

bool read_section(int descriptor, const Elf64_Ehdr& header, unsigned index, Elf64_Shdr& section) {
  return index < header.e_shnum && read_at(descriptor, header.e_shoff + std::uint64_t{index} * sizeof section,
                                           &section, sizeof section);
}

bool find_section(int descriptor, const Elf64_Ehdr& header, std::uint32_t type, Elf64_Shdr& section) {
  for (unsigned index = 0; read_section(descriptor, header, index, section); ++index)
    if (section.sh_type == type) return true;
  return false;
}

bool holds(const Elf64_Sym& symbol, std::uint64_t address) {
  return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
         address - symbol.st_value < symbol.st_size;
}

template <class Predicate>
bool find_symbol(int descriptor, const Elf64_Shdr& table, Predicate is_it, Elf64_Sym& found) {
  constexpr std::uint64_t at_once = 64;
  Elf64_Sym symbols[at_once];
  const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
  for (std::uint64_t first = 0; first < count; first += at_once) {
    const std::uint64_t here = std::min(at_once, count - first);
    if (!read_at(descriptor, table.sh_offset + first * sizeof(Elf64_Sym), symbols, here * sizeof(Elf64_Sym)))
      return false;
    for (std::uint64_t i = 0; i < here; ++i)
      if (is_it(symbols[i])) {
        found = symbols[i];
        return true;
      }
  }
  return false;
}

bool find_tables(int descriptor, Elf64_Shdr& symbols, Elf64_Shdr& strings) {
  Elf64_Ehdr header;
  return read_at(descriptor, 0, &header, sizeof header) && header.e_shentsize == sizeof(Elf64_Shdr) &&
         find_section(descriptor, header, SHT_SYMTAB, symbols) &&
         read_section(descriptor, header, symbols.sh_link, strings);
}

}  // namespace

bool has_static_symbol(int descriptor, std::string_view name) {
  Elf64_Shdr symbols, strings;
  Elf64_Sym found;
  struct stat file;
  if (!find_tables(descriptor, symbols, strings) || fstat(descriptor, &file) != 0 ||
      strings.sh_size > static_cast<std::uint64_t>(file.st_size))
    return false;
  std::string names(strings.sh_size, '\0');
  const auto has_name = [&](const Elf64_Sym& symbol) {
    return symbol.st_name < names.size() && names.c_str() + symbol.st_name == name;
  };
  return read_at(descriptor, strings.sh_offset, names.data(), names.size()) &&
         find_symbol(descriptor, symbols, has_name, found);
}

bool find_static_function(int descriptor, std::uint64_t address, char* name, std::size_t bytes) {
  Elf64_Shdr symbols, strings;
  Elf64_Sym found;
  const auto is_it = [address](const Elf64_Sym& symbol) { return holds(symbol, address); };
  if (!find_tables(descriptor, symbols, strings) || !find_symbol(descriptor, symbols, is_it, found) ||
      found.st_name >= strings.sh_size)
    return false;
  const std::uint64_t length = std::min<std::uint64_t>(strings.sh_size - found.st_name, bytes - 1);
  if (!read_at(descriptor, strings.sh_offset + found.st_name, name, length)) return false;
  name[length] = '\0';
  return name[0] != '\0';
}

}  // namespace skein::image
