// SPDX-License-Identifier: Apache-2.0
// The build defines SKEIN_LB_HAVE_... for each module that it makes; loading shows if a module works.
#include "lb/libraries/library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <mutex>

#define SKEIN_LB_TEXT_OF(macro) #macro
#define SKEIN_LB_TEXT(macro) SKEIN_LB_TEXT_OF(macro)

namespace skein::lb {
namespace {

struct Library {
  std::uint32_t trait;
  const char* name;
  const char* file;
  bool built;
  const char* remedy;  // if it was not built
};

constexpr Library kLibraries[] = {
    {uses_scotch, "Scotch", "libskein_lb_scotch.so", SKEIN_LB_HAVE_SCOTCH, "install libscotch-dev"},
    {uses_metis, "METIS", "libskein_lb_metis.so", SKEIN_LB_HAVE_METIS, "install libmetis-dev"},
    {uses_zoltan, "Zoltan", "libskein_lb_zoltan.so", SKEIN_LB_HAVE_ZOLTAN,
     "install libtrilinos-zoltan-dev, with Open MPI as the MPI underneath,"},
    {uses_ptscotch, "PT-Scotch", "libskein_lb_ptscotch.so", SKEIN_LB_HAVE_PTSCOTCH,
     "install libptscotch-dev, with Open MPI as the MPI underneath,"},
};

struct Loaded {
  PartitionFunction partition = nullptr;
  std::string reason;
};

Loaded load(const Library& library) {
  if (!library.built) {
    return {nullptr, std::string("needs ") + library.name + ", which this build lacks; " + library.remedy +
                         " and build again"};
  }
  // Local: a partitioner's symbols (METIS has a GKlib of its own) must not be visible to other code.
  void* const module = dlopen(library.file, RTLD_NOW | RTLD_LOCAL);
  void* const symbol = module ? dlsym(module, SKEIN_LB_TEXT(SKEIN_LB_PARTITION)) : nullptr;
  if (symbol == nullptr) {
    return {nullptr, std::string("needs ") + library.name + ", whose module cannot be loaded: " + dlerror()};
  }
  return {reinterpret_cast<PartitionFunction>(symbol), {}};
}

struct Modules {
  std::mutex loading, working;
  Loaded of[std::size(kLibraries)];
};
Modules modules;

/// Returns the library's module, which is loaded once and stays.
const Loaded& loaded(const Library& library) {
  const std::lock_guard lock(modules.loading);
  Loaded& module = modules.of[&library - kLibraries];
  if (module.partition == nullptr && module.reason.empty()) module = load(library);
  return module;
}

const Library* library_of(std::uint32_t traits) {
  for (const Library& library : kLibraries) {
    if (traits & library.trait) return &library;
  }
  return nullptr;
}

}  // namespace

std::string why_unavailable(const StrategyInfo& info) { return why_unavailable(info.traits); }

std::string why_unavailable(std::uint32_t traits) {
  const Library* const library = library_of(traits);
  return library ? loaded(*library).reason : std::string();
}

bool was_built(const StrategyInfo& info) {
  const Library* const library = library_of(info.traits);
  return library == nullptr || library->built;
}

Partitioner load_partitioner(Trait trait) {
  const auto* const library = std::ranges::find(kLibraries, std::uint32_t{trait}, &Library::trait);
  if (library == std::end(kLibraries)) throw std::logic_error("no library has this trait");
  const Loaded& module = loaded(*library);
  if (module.partition == nullptr)
    throw StrategyError(std::string("a strategy on ") + library->name + " " + module.reason);
  return {library->name, module.partition, std::unique_lock(modules.working)};
}

}  // namespace skein::lb
