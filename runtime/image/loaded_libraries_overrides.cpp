// SPDX-License-Identifier: Apache-2.0
// dlopen() and its relatives as ranks call them.
#include <dlfcn.h>
#include <link.h>

#include <cstring>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"
#include "runtime/fiber/thread_block.hpp"
#include "runtime/image/loaded_libraries.hpp"
#include "runtime/libc/process.hpp"

namespace skein::image {
namespace {

void note_error(Rank& rank, const std::string& text) {
  LoadedLibraries& libraries = libraries_of(rank);
  libraries.error = text;
  libraries.failed = true;
}

/// Returns the result of `action`, or `otherwise`, with a text for dlerror(). Within a RuntimeScope.
template <class Result>
Result attempt(Rank& rank, Result otherwise, auto&& action) {
  const fiber::RuntimeScope runtime;
  try {
    return action();
  } catch (const Error& error) {
    note_error(rank, error.what());
    return otherwise;
  }
}

LoadedLibrary& library_of(Rank& rank, const void* handle) {
  LoadedLibrary* const library = find_library(rank, handle);
  if (!library) throw Error(format("%p is no open library", handle));
  return *library;
}

void* open_as(const char* path, int mode, const void* caller) {
  Rank& rank = libc::calling_rank("dlopen");
  LoadedLibrary* const library = attempt(rank, static_cast<LoadedLibrary*>(nullptr), [&] {
    return path && *path ? open_library(rank, path, mode, caller) : &libraries_of(rank).list.front();
  });
  // Both lie in the slot.
  if (library) construct_libraries(rank);
  return library ? &library->map : nullptr;
}

__attribute__((noinline)) void* rank_dlopen(const char* path, int mode) {
  return open_as(path, mode, __builtin_return_address(0));
}

/// Ranks have one namespace: what a program separates by several must be private by other means.
__attribute__((noinline)) void* rank_dlmopen(Lmid_t names, const char* path, int mode) {
  if (names == LM_ID_BASE) return open_as(path, mode, __builtin_return_address(0));
  Rank& rank = libc::calling_rank("dlmopen");
  const fiber::RuntimeScope runtime;
  note_error(rank, "dlmopen: ranks have one namespace each, LM_ID_BASE");
  return nullptr;
}

int rank_dlclose(void* handle) {
  Rank& rank = libc::calling_rank("dlclose");
  const int result = attempt(rank, -1, [&] {
    close_library(rank, library_of(rank, handle));
    return 0;
  });
  if (result != 0) return result;
  destroy_libraries(rank, false);
  return attempt(rank, -1, [&] {
    unload_libraries(rank);
    return 0;
  });
}

void* symbol_as(void* handle, const char* name, const char* version, const void* caller) {
  Rank& rank = libc::calling_rank("dlsym");
  return attempt(rank, static_cast<void*>(nullptr), [&] {
    void* const found = find_symbol(rank, handle, name, version, caller);
    if (!found) note_error(rank, format("undefined symbol: %s", name));
    return found;
  });
}

__attribute__((noinline)) void* rank_dlsym(void* handle, const char* name) {
  return symbol_as(handle, name, "", __builtin_return_address(0));
}
__attribute__((noinline)) void* rank_dlvsym(void* handle, const char* name, const char* version) {
  return symbol_as(handle, name, version, __builtin_return_address(0));
}

char* rank_dlerror() {
  LoadedLibraries& libraries = libraries_of(libc::calling_rank("dlerror"));
  if (!libraries.failed) return nullptr;
  libraries.failed = false;
  return libraries.error.data();
}

/// Returns names and symbols from the slot: this PE's copies would not move along.
int rank_dladdr1(const void* address, Dl_info* info, void** extra, int flags) {
  Rank& rank = libc::calling_rank("dladdr");
  const fiber::RuntimeScope runtime;
  (void)libraries_of(rank);
  LoadedLibrary* const library = arena::in_arena(address) ? library_at(rank, address) : nullptr;
  if (!library) return extra ? dladdr1(address, info, extra, flags) : dladdr(address, info);
  *info = {library->map.l_name, library->begin, nullptr, nullptr};
  if (extra && flags == RTLD_DL_LINKMAP) *extra = &library->map;
  if (extra && flags == RTLD_DL_SYMENT) *extra = nullptr;
  const Symbol* const symbol = symbol_at(*library, address);
  if (!symbol) return 1;
  const ElfFile& file = file_of(*library);
  info->dli_sname = reinterpret_cast<const char*>(library->bias() + file.address_of(symbol->name.data()));
  info->dli_saddr = library->bias() + symbol->value;
  if (extra && flags == RTLD_DL_SYMENT)
    *extra = library->bias() + file.symbol_table +
             static_cast<std::uint64_t>(symbol - file.symbols.data()) * sizeof(Elf64_Sym);
  return 1;
}
int rank_dladdr(const void* address, Dl_info* info) { return rank_dladdr1(address, info, nullptr, 0); }

int rank_dlinfo(void* handle, int request, void* result) {
  Rank& rank = libc::calling_rank("dlinfo");
  return attempt(rank, -1, [&] {
    LoadedLibrary& library = library_of(rank, handle);
    if (request == RTLD_DI_LMID) {
      *static_cast<Lmid_t*>(result) = LM_ID_BASE;
    } else if (request == RTLD_DI_LINKMAP) {
      *static_cast<link_map**>(result) = &library.map;
    } else if (request == RTLD_DI_ORIGIN) {
      const std::string origin(library.path.substr(0, library.path.rfind('/')));
      strcpy(static_cast<char*>(result), origin.c_str());  // by contract the caller's room is PATH_MAX
    } else if (request == RTLD_DI_TLS_DATA) {
      *static_cast<void**>(result) = library.tls_place();
    } else {
      throw Error(format("dlinfo: request %d is not there", request));
    }
    return 0;
  });
}

}  // namespace

std::span<const libc::Override> loading_overrides() {
  static const libc::Override table[] = {
      {"dlopen", libc::address_of(rank_dlopen)},   {"dlmopen", libc::address_of(rank_dlmopen)},
      {"dlclose", libc::address_of(rank_dlclose)}, {"dlsym", libc::address_of(rank_dlsym)},
      {"dlvsym", libc::address_of(rank_dlvsym)},   {"dlerror", libc::address_of(rank_dlerror)},
      {"dladdr", libc::address_of(rank_dladdr)},   {"dladdr1", libc::address_of(rank_dladdr1)},
      {"dlinfo", libc::address_of(rank_dlinfo)},
  };
  return table;
}

}  // namespace skein::image
