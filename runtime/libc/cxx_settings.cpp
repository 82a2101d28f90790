// SPDX-License-Identifier: Apache-2.0
// std::set_terminate() and relatives, std::pmr::set_default_resource().
#include <cstdlib>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/library_of_process.hpp"
#include "runtime/libc/library_state.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/settings.hpp"

// The C++ library calls it deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace skein::libc {
namespace {

/// Returns the settings of the rank whose program runs, if it has set any.
const CxxSettings* own_settings() {
  const Rank* const rank = program_rank();
  return rank && rank->process && rank->process->library ? &rank->process->library->cxx : nullptr;
}

[[noreturn]] void terminate_rank() {
  const CxxSettings* const own = own_settings();
  (own && own->terminate ? own->terminate : library_of_process.terminate)();
  abort();
}

[[noreturn]] void unexpected_in_rank() {
  const CxxSettings* const own = own_settings();
  if (own && own->unexpected) own->unexpected();
  std::terminate();
}

/// Calls the rank's handler. Without one, acts as if no handler were set: operator new then throws this.
void new_handler_of_rank() {
  const CxxSettings* const own = own_settings();
  if (!own || !own->new_handler) throw std::bad_alloc();
  own->new_handler();
}

std::terminate_handler terminate_of_process() { return library_of_process.terminate; }
std::unexpected_handler unexpected_of_process() { return library_of_process.unexpected; }
std::new_handler no_new_handler() { return nullptr; }

/// Returns the rank's setting, or the default where it has none.
template <auto member, auto otherwise>
auto get_setting() {
  const auto own = library_state("a function that gets a setting of C++").cxx.*member;
  return own ? own : otherwise();
}
template <auto member, auto otherwise, class Value>
Value set_setting(Value value) {
  const Value before = get_setting<member, otherwise>();
  library_state("a function that sets a setting of C++").cxx.*member = value;
  return before;
}

}  // namespace

void share_cxx_settings() {
  if (library_of_process.terminate) return;
  library_of_process.terminate = std::set_terminate(terminate_rank);
  library_of_process.unexpected = std::set_unexpected(unexpected_in_rank);
  std::set_new_handler(new_handler_of_rank);
}

#define SKEIN_SETTING(member, otherwise, Value, get, set)                \
  {get, address_of(get_setting<&CxxSettings::member, otherwise>)}, {     \
    set, address_of(set_setting<&CxxSettings::member, otherwise, Value>) \
  }

const Overrides cxx_setting_overrides({
    SKEIN_SETTING(terminate, terminate_of_process, std::terminate_handler, "_ZSt13get_terminatev",
                  "_ZSt13set_terminatePFvvE"),
    SKEIN_SETTING(unexpected, unexpected_of_process, std::unexpected_handler, "_ZSt14get_unexpectedv",
                  "_ZSt14set_unexpectedPFvvE"),
    SKEIN_SETTING(new_handler, no_new_handler, std::new_handler, "_ZSt15get_new_handlerv",
                  "_ZSt15set_new_handlerPFvvE"),
    SKEIN_SETTING(resource, std::pmr::new_delete_resource, std::pmr::memory_resource*,
                  "_ZNSt3pmr20get_default_resourceEv",
                  "_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE"),
});

}  // namespace skein::libc
