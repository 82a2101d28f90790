// SPDX-License-Identifier: Apache-2.0
// The dynamic symbols of an ELF file, with the versions that references request.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/image/elf_file.hpp"

namespace skein::image {

class ElfReader;

/// Addresses and sizes from the dynamic section; 0 if the file has no such table.
struct SymbolTableLocation {
  std::uint64_t symbols = 0, strings = 0, string_bytes = 0;
  std::uint64_t gnu_hash = 0, hash = 0;
  std::uint64_t versions = 0, versions_needed = 0, versions_needed_count = 0;
};

/// Returns a name of the string table. Throws skein::Error if the offset lies outside.
std::string_view string_of(const ElfReader& reader, const SymbolTableLocation& location,
                           std::uint64_t offset);

/// Returns all dynamic symbols, the empty one first; `at_least` as many as relocations name. Throws
/// skein::Error when a table is damaged.
std::vector<Symbol> read_symbol_table(const ElfReader& reader, const SymbolTableLocation& location,
                                      std::uint64_t at_least);

}  // namespace skein::image
