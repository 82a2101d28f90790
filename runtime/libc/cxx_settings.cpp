// SPDX-License-Identifier: Apache-2.0
// std::set_terminate() and relatives, std::pmr::set_default_resource().
#include <cstdlib>
#include <utility>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/library_state.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/settings.hpp"

// The C++ library calls it deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace skein::libc {
namespace {

/// What the process would do without ranks.
struct OfProcess {
  std::terminate_handler terminate = nullptr;
  void (*unexpected)() = nullptr;
} of_process;

/// The settings of the rank whose program runs, if it has set any.
const CxxSettings* own_settings() {
  const Rank* const rank = program_rank();
  return rank && rank->process && rank->process->library ? &rank->process->library->cxx : nullptr;
}

[[noreturn]] void terminate_rank() {
  const CxxSettings* const own = own_settings();
  (own && own->terminate ? own->terminate : of_process.terminate)();
  abort();
}

[[noreturn]] void unexpected_in_rank() {
  const CxxSettings* const own = own_settings();
  if (own && own->unexpected) own->unexpected();
  std::terminate();
}

/// As if there were none, where the rank has none: operator new then throws this.
void new_handler_of_rank() {
  const CxxSettings* const own = own_settings();
  if (!own || !own->new_handler) throw std::bad_alloc();
  own->new_handler();
}

template <auto member, class Value>
Value exchange_setting(const char* function, Value value) {
  return std::exchange(library_state(function).cxx.*member, value);
}

std::terminate_handler rank_get_terminate() {
  const auto own = library_state("std::get_terminate").cxx.terminate;
  return own ? own : of_process.terminate;
}
std::terminate_handler rank_set_terminate(std::terminate_handler handler) {
  const auto before = rank_get_terminate();
  exchange_setting<&CxxSettings::terminate>("std::set_terminate", handler);
  return before;
}
std::unexpected_handler rank_get_unexpected() {
  const auto own = library_state("std::get_unexpected").cxx.unexpected;
  return own ? own : of_process.unexpected;
}
std::unexpected_handler rank_set_unexpected(std::unexpected_handler handler) {
  const auto before = rank_get_unexpected();
  exchange_setting<&CxxSettings::unexpected>("std::set_unexpected", handler);
  return before;
}
std::new_handler rank_get_new_handler() { return library_state("std::get_new_handler").cxx.new_handler; }
std::new_handler rank_set_new_handler(std::new_handler handler) {
  return exchange_setting<&CxxSettings::new_handler>("std::set_new_handler", handler);
}
std::pmr::memory_resource* rank_get_resource() {
  const auto own = library_state("std::pmr::get_default_resource").cxx.resource;
  return own ? own : std::pmr::new_delete_resource();
}
std::pmr::memory_resource* rank_set_resource(std::pmr::memory_resource* resource) {
  const auto before = rank_get_resource();
  exchange_setting<&CxxSettings::resource>("std::pmr::set_default_resource", resource);
  return before;
}

}  // namespace

void share_cxx_settings() {
  if (of_process.terminate) return;
  of_process = {std::set_terminate(terminate_rank), std::set_unexpected(unexpected_in_rank)};
  std::set_new_handler(new_handler_of_rank);
}

std::span<const Override> cxx_setting_overrides() {
  static const Override table[] = {
      {"_ZSt13set_terminatePFvvE", address_of(rank_set_terminate)},
      {"_ZSt13get_terminatev", address_of(rank_get_terminate)},
      {"_ZSt14set_unexpectedPFvvE", address_of(rank_set_unexpected)},
      {"_ZSt14get_unexpectedv", address_of(rank_get_unexpected)},
      {"_ZSt15set_new_handlerPFvvE", address_of(rank_set_new_handler)},
      {"_ZSt15get_new_handlerv", address_of(rank_get_new_handler)},
      {"_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE", address_of(rank_set_resource)},
      {"_ZNSt3pmr20get_default_resourceEv", address_of(rank_get_resource)},
  };
  return table;
}

}  // namespace skein::libc
