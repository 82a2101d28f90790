// SPDX-License-Identifier: Apache-2.0
// The look-up of dlsym().
#include <dlfcn.h>

#include <algorithm>

#include "runtime/base/error.hpp"
#include "runtime/fiber/thread_block.hpp"
#include "runtime/image/library_links.hpp"
#include "runtime/image/resolver.hpp"

namespace skein::image {
namespace {

using Kind = LoadedLibrary::Kind;

std::byte* address_of(const Rank& rank, const Image& image, const Symbol& symbol) {
  if (symbol.absolute) return reinterpret_cast<std::byte*>(symbol.value);
  if (symbol.type == STT_TLS)
    return image.tls.kind == TlsPlace::in_slot ? image_base(rank) + image.tls.offset + symbol.value
                                               : fiber::thread_pointer() - image.tls.distance + symbol.value;
  std::byte* const address = image_base(rank) + image.offset + symbol.value;
  return symbol.type == STT_GNU_IFUNC ? reinterpret_cast<std::byte* (*)()>(address)() : address;
}

void* find_of_process(const LoadedLibrary& library, const std::string& name, const std::string& version) {
  const auto* const own = current_program()->resolver().override_of(name);
  // Skein's stub of the MPI library is not loaded: its functions are the launcher's.
  if (is_mpi_name(name) || LibraryRule::is_own_mpi(library.names.front())) return const_cast<void*>(own);
  void* const handle = dlopen(library.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (!handle) return nullptr;
  void* const found =
      version.empty() ? dlsym(handle, name.c_str()) : dlvsym(handle, name.c_str(), version.c_str());
  dlclose(handle);
  return found && own ? const_cast<void*>(own) : found;
}

void* find_beyond_images(const Rank& rank, const std::string& name, const std::string& version) {
  Symbol symbol;
  symbol.name = name;
  symbol.version = version;
  const Resolution found = current_program()->resolver().resolve_beyond_images(symbol);
  if (found.kind == Resolution::undefined) return nullptr;
  if (found.kind == Resolution::in_slot) return image_base(rank) + found.value;
  return reinterpret_cast<void*>(found.value);
}

}  // namespace

void* find_symbol(Rank& rank, const void* handle, const std::string& name, const std::string& version,
                  const void* caller) {
  LoadedLibraries& libraries = libraries_of(rank);
  LoadedLibrary* const user = library_at(rank, caller);
  std::vector<LoadedLibrary*> scope;
  const auto add = [&](LoadedLibrary* library) {
    if (std::ranges::find(scope, library) == scope.end()) scope.push_back(library);
  };
  const bool is_program = handle == &libraries.list.front().map;
  const bool searches_all = handle == RTLD_DEFAULT || handle == RTLD_NEXT || is_program;
  if (searches_all) {
    for (LoadedLibrary& library : libraries.list)
      if (library.global || (user && user->in_front)) add(&library);
    if (user && !is_program)
      for (LoadedLibrary* library : group_of(libraries, *user)) add(library);
    if (handle == RTLD_NEXT)
      scope.erase(scope.begin(), user ? std::ranges::find(scope, user) + 1 : scope.begin());
  } else {
    LoadedLibrary* const library = find_library(rank, handle);
    if (!library) throw Error(format("dlsym(%p, \"%s\"): this is no open library", handle, name.c_str()));
    scope = group_of(libraries, *library);
  }
  const LibraryImages images(rank);
  for (const LoadedLibrary* library : scope) {
    const Image* const image = images.of(*library);
    const Symbol* const symbol = image ? image->file.find(name) : nullptr;
    if (symbol) return address_of(rank, *image, *symbol);
    if (!image && !searches_all)
      if (void* found = find_of_process(*library, name, version)) return found;
  }
  return searches_all ? find_beyond_images(rank, name, version) : nullptr;
}

const Symbol* symbol_at(const LoadedLibrary& library, const void* address) {
  const auto in_file = static_cast<std::uint64_t>(static_cast<const std::byte*>(address) - library.bias());
  const Symbol* nearest = nullptr;
  for (const Symbol& s : file_of(library).symbols) {
    if (!s.defined || s.absolute || s.type == STT_TLS || s.name.empty() || s.binding == STB_LOCAL) continue;
    const bool holds = s.bytes ? in_file - s.value < s.bytes : in_file == s.value;
    if (holds && (!nearest || s.value > nearest->value)) nearest = &s;
  }
  return nearest;
}

}  // namespace skein::image
