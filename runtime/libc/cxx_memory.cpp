// SPDX-License-Identifier: Apache-2.0
// Memory that programs hand to the C++ library and the unwinder, which keep it once a process: another rank
// there would get blocks of this one, and blocks of a rank that moves would stay behind.
#include <locale>
#include <memory_resource>
#include <new>

#include "runtime/arena/arena.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/library_state.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/shared_state.hpp"

namespace skein::libc {
namespace {

/// Pins the rank until it detaches the handle, whatever the number of calls.
void hold(const char* function, const void* handle, const char* because) {
  Rank& rank = calling_rank(function);
  detach_handle(rank, handle);
  attach_handle(rank, handle, because);
}

// ---- __gnu_cxx::__pool_alloc: freed blocks, by their size in words

void** free_list_of_rank(void*, std::size_t bytes) {
  return &library_state("__gnu_cxx::__pool_alloc").free_blocks[(bytes + 7) / 8 - 1];
}
void* refill_of_rank(void*, std::size_t bytes) { return ::operator new(bytes); }

// ---- __gnu_cxx::__mt_alloc: one list a process, made with the first pool, says which thread has which pools

void make_pool(void* pool) {
  static const auto real = next_function<void(void*)>("_ZN9__gnu_cxx6__poolILb1EE13_M_initializeEv");
  static const char handle = 0;
  hold("__gnu_cxx::__mt_alloc", &handle, "it has a pool of the C++ library for threads (__mt_alloc)");
  const CLibraryScope scope;
  real(pool);
}
void make_pool_as_before(void* pool, void (*)(void*)) { make_pool(pool); }

// ---- std::pmr::synchronized_pool_resource: its key for threads is the process's

using Pools = std::pmr::synchronized_pool_resource;
void make_pools(Pools* self, const std::pmr::pool_options& options, std::pmr::memory_resource* upstream) {
  hold("synchronized_pool_resource", self, "it has a std::pmr::synchronized_pool_resource");
  new (self) Pools(options, upstream);
}
void destroy_pools(Pools* self) {
  self->~Pools();
  detach_handle(calling_rank("synchronized_pool_resource"), self);
}

// ---- numbers of kinds of facets, which a process assigns at their first use

void install_facet(void* locale, const std::locale::id* id, const std::locale::facet* facet) {
  static const auto real = next_function<void(void*, const std::locale::id*, const std::locale::facet*)>(
      "_ZNSt6locale5_Impl16_M_install_facetEPKNS_2idEPKNS_5facetE");
  static const char handle = 0;
  if (arena::in_arena(id) && *reinterpret_cast<const std::size_t*>(id) == 0)
    hold("std::locale", &handle, "it has made a C++ locale with a facet of a kind of its own");
  real(locale, id, facet);
}

// ---- tables for unwinding code that a program makes as it runs

void register_frames(void* table) {
  static const auto real = next_function<void(void*)>("__register_frame");
  hold("__register_frame", table, "it has registered code that it made with the unwinder (__register_frame)");
  real(table);
}
void deregister_frames(void* table) {
  static const auto real = next_function<void(void*)>("__deregister_frame");
  real(table);
  detach_handle(calling_rank("__deregister_frame"), table);
}

}  // namespace

const Overrides cxx_memory_overrides({
    {"_ZN9__gnu_cxx17__pool_alloc_base16_M_get_free_listEm", address_of(free_list_of_rank)},
    {"_ZN9__gnu_cxx17__pool_alloc_base9_M_refillEm", address_of(refill_of_rank)},
    {"_ZN9__gnu_cxx6__poolILb1EE13_M_initializeEv", address_of(make_pool)},
    {"_ZN9__gnu_cxx6__poolILb1EE13_M_initializeEPFvPvE", address_of(make_pool_as_before)},
    {"_ZNSt3pmr26synchronized_pool_resourceC1ERKNS_12pool_optionsEPNS_15memory_resourceE",
     address_of(make_pools)},
    {"_ZNSt3pmr26synchronized_pool_resourceC2ERKNS_12pool_optionsEPNS_15memory_resourceE",
     address_of(make_pools)},
    {"_ZNSt3pmr26synchronized_pool_resourceD1Ev", address_of(destroy_pools)},
    {"_ZNSt3pmr26synchronized_pool_resourceD2Ev", address_of(destroy_pools)},
    {"_ZNSt6locale5_Impl16_M_install_facetEPKNS_2idEPKNS_5facetE", address_of(install_facet)},
    {"__register_frame", address_of(register_frames)},
    {"__deregister_frame", address_of(deregister_frames)},
});

}  // namespace skein::libc
