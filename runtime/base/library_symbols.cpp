// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/library_symbols.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstring>

namespace skein {
namespace {

const char* last_part(const char* path) {
  const char* const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

}  // namespace

#if __GLIBC_PREREQ(2, 35)

namespace {

/// The tables of a loaded object, whose addresses the dynamic linker has already relocated.
struct Tables {
  const Elf64_Sym* symbols = nullptr;
  const char* names = nullptr;
  const std::uint32_t* gnu_hash = nullptr;
  const std::uint32_t* hash = nullptr;

  explicit Tables(const link_map& object) {
    for (const Elf64_Dyn* entry = object.l_ld; entry->d_tag != DT_NULL; ++entry) {
      const std::uintptr_t at = entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const Elf64_Sym*>(at);
      if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(at);
      if (entry->d_tag == DT_GNU_HASH) gnu_hash = reinterpret_cast<const std::uint32_t*>(at);
      if (entry->d_tag == DT_HASH) hash = reinterpret_cast<const std::uint32_t*>(at);
    }
  }

  /// How many symbols there are, which only the hash tables tell: of GNU's, the last one that is in a chain.
  std::uint32_t count() const {
    if (hash) return hash[1];
    if (!gnu_hash) return 0;
    const std::uint32_t bucket_count = gnu_hash[0], first_hashed = gnu_hash[1], bloom_words = gnu_hash[2];
    const std::uint32_t* const buckets = gnu_hash + 4 + 2 * bloom_words;
    const std::uint32_t* const chains = buckets + bucket_count;
    std::uint32_t last = *std::max_element(buckets, buckets + bucket_count);
    if (last < first_hashed) return first_hashed;
    while ((chains[last - first_hashed] & 1) == 0) ++last;
    return last + 1;
  }
};

}  // namespace

bool find_in_library(const void* address, LibraryPlace& place) {
  dl_find_object found;
  if (_dl_find_object(const_cast<void*>(address), &found) != 0 || !found.dlfo_link_map) return false;
  const link_map& object = *found.dlfo_link_map;
  place = {last_part(object.l_name), reinterpret_cast<std::uintptr_t>(address) - object.l_addr, nullptr};
  const Tables tables(object);
  if (!tables.symbols || !tables.names) return true;
  const std::uint32_t count = tables.count();
  for (std::uint32_t i = 1; i < count; ++i) {
    const Elf64_Sym& symbol = tables.symbols[i];
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if ((type == STT_FUNC || type == STT_GNU_IFUNC) && symbol.st_shndx != SHN_UNDEF &&
        place.address - symbol.st_value < symbol.st_size) {
      place.symbol = tables.names + symbol.st_name;
      break;
    }
  }
  return true;
}

#else

bool find_in_library(const void* address, LibraryPlace& place) {
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_fname) return false;
  const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  place = {last_part(info.dli_fname), reinterpret_cast<std::uintptr_t>(address) - base, info.dli_sname};
  return true;
}

#endif

}  // namespace skein
