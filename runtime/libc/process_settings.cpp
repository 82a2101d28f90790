// SPDX-License-Identifier: Apache-2.0
// Settings of the C library about the process, of which a rank has its own: the domain in which its messages
// are looked up, handlers around fork(). And the stack for signals, which is the process's.
#include <libintl.h>
#include <signal.h>

#include <cstdio>
#include <cstring>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/library_state.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/settings.hpp"
#include "runtime/libc/shared_state.hpp"

namespace skein::libc {
namespace {

// ---- messages in other languages

char* rank_textdomain(const char* name) {
  auto& own = library_state("textdomain").text_domain;
  if (name) snprintf(own, sizeof own, "%s", *name ? name : "messages");
  return own;
}
char* rank_gettext(const char* text) {
  const char* const domain = library_state("gettext").text_domain;
  const CLibraryScope scope;
  return dgettext(domain, text);
}
char* rank_ngettext(const char* one, const char* many, unsigned long count) {
  const char* const domain = library_state("ngettext").text_domain;
  const CLibraryScope scope;
  return dngettext(domain, one, many, count);
}

// ---- fork

int rank_register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void*) {
  library_state("pthread_atfork").fork_handlers.push_back({prepare, parent, child});
  return 0;
}

// ---- signals

constexpr const char kHoldsSignalStack[] = "it has set a stack for signals (sigaltstack)";

/// Sets the stack for signals. In force is the last one that a rank of the PE has set or, when a rank gives
/// its own up, the process's, on which faults are reported.
int rank_sigaltstack(const stack_t* wanted, stack_t* before) {
  Rank& rank = calling_rank("sigaltstack");
  static const stack_t of_process = [] {
    stack_t found = {};
    sigaltstack(nullptr, &found);
    return found;
  }();
  stack_t& own = library_state("sigaltstack").signal_stack;
  const stack_t own_before = own;
  if (wanted) {
    const bool ends = wanted->ss_flags & SS_DISABLE;
    if (const int result = sigaltstack(ends ? &of_process : wanted, nullptr)) return result;
    own = *wanted;
    detach_handle(rank, kHoldsSignalStack);
    if (!ends) attach_handle(rank, kHoldsSignalStack, kHoldsSignalStack);
  }
  if (before) *before = own_before;
  return 0;
}

}  // namespace

pid_t fork_with_handlers(pid_t (*fork)()) {
  auto& handlers = library_state("fork").fork_handlers;
  for (std::size_t i = handlers.size(); i-- > 0;)
    if (handlers[i].prepare) handlers[i].prepare();
  const pid_t child = fork();
  for (const ForkHandlers& one : handlers)
    if (void (*const function)() = child == 0 ? one.child : one.parent) function();
  return child;
}

const Overrides process_setting_overrides({
    {"textdomain", address_of(rank_textdomain)},
    {"gettext", address_of(rank_gettext)},
    {"ngettext", address_of(rank_ngettext)},
    {"__register_atfork", address_of(rank_register_atfork)},
    {"pthread_atfork", address_of(+[](void (*prepare)(), void (*parent)(), void (*child)()) {
       return rank_register_atfork(prepare, parent, child, nullptr);
     })},
    {"sigaltstack", address_of(rank_sigaltstack)},
});

}  // namespace skein::libc
