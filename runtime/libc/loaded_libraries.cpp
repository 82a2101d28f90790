// SPDX-License-Identifier: Apache-2.0
// Libraries that ranks load by hand, with dlopen(). They are loaded once a process, for all its ranks, and
// pin the rank until it closes them. One that calls MPI cannot be had so: the dynamic linker would bind it to
// the MPI that Skein itself runs on.
#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstring>
#include <span>

#include "runtime/base/mpi_names.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"

namespace skein::libc {
namespace {

/// What the dynamic linker knows of a library: its addresses are those in memory.
struct DynamicSection {
  explicit DynamicSection(const link_map& library) {
    for (const ElfW(Dyn)* entry = library.l_ld; entry->d_tag != DT_NULL; ++entry) {
      const auto address = entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(address);
      if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(address);
      if (entry->d_tag == DT_RELA) data = {reinterpret_cast<const ElfW(Rela)*>(address), data.size()};
      if (entry->d_tag == DT_RELASZ) data = {data.data(), address / sizeof(ElfW(Rela))};
      if (entry->d_tag == DT_JMPREL) calls = {reinterpret_cast<const ElfW(Rela)*>(address), calls.size()};
      if (entry->d_tag == DT_PLTRELSZ) calls = {calls.data(), address / sizeof(ElfW(Rela))};
    }
  }

  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::span<const ElfW(Rela)> data, calls;
};

/// The first MPI function that a library refers to and does not define itself, or null.
const char* mpi_function_used_by(const link_map& library) {
  const DynamicSection section(library);
  for (const auto relocations : {section.data, section.calls}) {
    for (const ElfW(Rela) & relocation : relocations) {
      const ElfW(Sym)& symbol = section.symbols[ELF64_R_SYM(relocation.r_info)];
      const char* const name = section.names + symbol.st_name;
      if (symbol.st_shndx == SHN_UNDEF && is_mpi_name(name)) return name;
    }
  }
  return nullptr;
}

// What dlerror() is to say to the rank that dlopen() has refused something last.
const Rank* refused = nullptr;
char refusal[512];

/// Of the libraries of this process the one that was loaded last.
const link_map* last_loaded() {
  const link_map* last = _r_debug.r_map;
  while (last->l_next) last = last->l_next;
  return last;
}

/// If `library` calls MPI, puts what is to be said into `refusal`.
bool must_be_refused(const link_map& library) {
  const char* const function = mpi_function_used_by(library);
  if (!function) return false;
  snprintf(refusal, sizeof refusal,
           "%s calls %s, and ranks would share its state: link it to the program instead of loading it, and "
           "each rank has its own",
           library.l_name, function);
  return true;
}

/// The same of `library` and of all that were loaded after `before`, for its sake.
bool must_be_refused(void* library, const link_map* before) {
  const link_map* itself = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &itself) != 0) return false;
  if (must_be_refused(*itself)) return true;
  for (const link_map* each = before->l_next; each; each = each->l_next)
    if (must_be_refused(*each)) return true;
  return false;
}

void* rank_dlopen(const char* path, int mode) {
  Rank& rank = calling_rank("dlopen");
  fiber::RuntimeScope runtime;  // the library is the process's
  const link_map* const before = last_loaded();
  void* const library = dlopen(path, mode);
  refused = nullptr;
  if (!library || !path) return library;
  if (must_be_refused(library, before)) {
    dlclose(library);
    refused = &rank;
    return nullptr;
  }
  attach_handle(rank, library, "it has loaded a library with dlopen()");
  return library;
}

char* rank_dlerror() {
  if (refused != &calling_rank("dlerror")) return dlerror();
  refused = nullptr;
  return refusal;
}

int rank_dlclose(void* library) {
  Rank& rank = calling_rank("dlclose");
  fiber::RuntimeScope runtime;
  detach_handle(rank, library);
  return dlclose(library);
}

}  // namespace

std::span<const Override> loaded_library_overrides() {
  static const Override table[] = {
      {"dlopen", address_of(rank_dlopen)},
      {"dlclose", address_of(rank_dlclose)},
      {"dlerror", address_of(rank_dlerror)},
  };
  return table;
}

}  // namespace skein::libc
