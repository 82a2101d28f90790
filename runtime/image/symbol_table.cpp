// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/symbol_table.hpp"

#include <algorithm>
#include <unordered_map>

#include "runtime/image/elf_reader.hpp"

namespace skein::image {
namespace {

constexpr std::uint16_t kVersionIndexMask = 0x7fff;
constexpr std::uint16_t kVersionHidden = 0x8000;  // only a reference to its version finds the definition

using VersionNames = std::unordered_map<std::uint16_t, std::string_view>;

/// Returns one past the last symbol in the GNU hash table. The table lists chains of symbols in ascending
/// order; the last of a chain has an odd hash value.
std::uint64_t count_hashed_symbols(const ElfReader& reader, std::uint64_t table) {
  const auto get = [&](std::uint64_t address) {
    return reader.object_at_address<std::uint32_t>(address, "hash table");
  };
  const std::uint32_t buckets = get(table), first_hashed = get(table + 4);
  const std::uint64_t bloom_bytes = std::uint64_t{get(table + 8)} * 8;
  const std::uint64_t bucket_table = table + 16 + bloom_bytes;
  const std::uint64_t chain_table = bucket_table + std::uint64_t{buckets} * 4;
  std::uint32_t last = 0;
  for (const std::uint32_t start :
       reader.array_at_address<std::uint32_t>(bucket_table, buckets, "hash table"))
    last = std::max(last, start);
  if (last < first_hashed) return first_hashed;
  std::uint64_t symbol = last;
  while (!(get(chain_table + (symbol - first_hashed) * 4) & 1)) ++symbol;
  return symbol + 1;
}

/// Counts the dynamic symbols. The file does not say how many there are (section headers may be stripped):
/// its hash tables do, else the greatest that a relocation names.
std::uint64_t count_symbols(const ElfReader& reader, const SymbolTableLocation& location,
                            std::uint64_t at_least) {
  if (location.hash) return reader.object_at_address<std::uint32_t>(location.hash + 4, "hash table");
  return std::max(at_least,
                  location.gnu_hash ? count_hashed_symbols(reader, location.gnu_hash) : std::uint64_t{0});
}

VersionNames read_needed_versions(const ElfReader& reader, const SymbolTableLocation& location) {
  VersionNames names;
  std::uint64_t at = location.versions_needed;
  for (std::uint64_t i = 0; at && i < location.versions_needed_count; ++i) {
    const auto need = reader.object_at_address<Elf64_Verneed>(at, "version table");
    std::uint64_t name_at = at + need.vn_aux;
    for (unsigned k = 0; k < need.vn_cnt; ++k) {
      const auto name = reader.object_at_address<Elf64_Vernaux>(name_at, "version table");
      names[name.vna_other & kVersionIndexMask] = string_of(reader, location, name.vna_name);
      if (!name.vna_next) break;
      name_at += name.vna_next;
    }
    if (!need.vn_next) break;
    at += need.vn_next;
  }
  return names;
}

Symbol make_symbol(const Elf64_Sym& s, std::string_view name) {
  Symbol symbol;
  symbol.name = name;
  symbol.value = s.st_value;
  symbol.bytes = s.st_size;
  symbol.type = ELF64_ST_TYPE(s.st_info);
  symbol.binding = ELF64_ST_BIND(s.st_info);
  symbol.visibility = ELF64_ST_VISIBILITY(s.st_other);
  symbol.defined = s.st_shndx != SHN_UNDEF;
  symbol.absolute = s.st_shndx == SHN_ABS;
  return symbol;
}

}  // namespace

std::string_view string_of(const ElfReader& reader, const SymbolTableLocation& location,
                           std::uint64_t offset) {
  if (offset >= location.string_bytes) reader.fail("a name lies outside its string table");
  return reader.string_at(location.strings + offset, location.string_bytes - offset, "string table");
}

std::vector<Symbol> read_symbol_table(const ElfReader& reader, const SymbolTableLocation& location,
                                      std::uint64_t at_least) {
  std::vector<Symbol> symbols(1);
  const std::uint64_t count = count_symbols(reader, location, at_least);
  if (count <= 1 || !location.symbols) return symbols;
  const auto raw = reader.array_at_address<Elf64_Sym>(location.symbols, count, "symbol table");
  std::vector<std::uint16_t> versions;
  if (location.versions)
    versions = reader.array_at_address<std::uint16_t>(location.versions, count, "version table");
  const VersionNames names = read_needed_versions(reader, location);
  symbols.reserve(count);
  for (std::size_t i = 1; i < count; ++i) {
    Symbol& symbol = symbols.emplace_back(make_symbol(raw[i], string_of(reader, location, raw[i].st_name)));
    if (versions.empty()) continue;
    // A variable copied into an executable is defined there, with the version of its source.
    const auto version = names.find(versions[i] & kVersionIndexMask);
    if (version != names.end())
      symbol.version = version->second;
    else
      symbol.hidden = versions[i] & kVersionHidden;
  }
  return symbols;
}

}  // namespace skein::image
