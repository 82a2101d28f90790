// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/process.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "runtime/base/upcalls.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/files.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::libc {
namespace {

using Handlers = std::pmr::vector<ExitHandler>;

constexpr std::string_view kPrivateLibrarySymbols[] = {
    "optarg",  "optind",   "opterr",    "optopt",  "getopt",    "getopt_long", "getopt_long_only",
    "environ", "_environ", "__environ", "signgam", "__signgam", "stdin"};

void run(const ExitHandler& handler, int status) {
  if (handler.form == ExitHandler::Form::with_status)
    reinterpret_cast<void (*)(int, void*)>(handler.function)(status, handler.argument);
  else
    reinterpret_cast<void (*)(void*)>(handler.function)(handler.argument);
}

/// Runs the handlers. Each is removed before it runs, because it may register others or call exit() itself.
void run_all(Handlers& handlers, int status) {
  while (!handlers.empty()) {
    const ExitHandler last = handlers.back();
    handlers.pop_back();
    run(last, status);
  }
}

void run_those_of(Handlers& handlers, const void* dso, int status) {
  for (std::size_t i = handlers.size(); i-- > 0;) {
    if (i >= handlers.size() || handlers[i].dso != dso) continue;
    const ExitHandler handler = handlers[i];
    handlers.erase(handlers.begin() + static_cast<std::ptrdiff_t>(i));
    run(handler, status);
  }
}

/// Does the last part of every way to end: from here on no code of the program runs.
[[noreturn]] void end_rank(Rank& rank, int status) {
  rank.process->exit_status = status;
  {
    fiber::RuntimeScope runtime;
    if (upcalls.rank_ends) upcalls.rank_ends(rank, status);
  }
  finish_rank();
}

[[noreturn]] void end_at_once(int status) {
  if (in_forked_child()) ::_exit(status);
  Rank& rank = calling_rank("_exit");
  abandon_files(rank);
  end_rank(rank, status & 0xff);
}

[[noreturn]] void rank_quick_exit(int status) {
  run_all(calling_rank("quick_exit").process->quick_exit_handlers, status);
  end_at_once(status);
}

int add(Handlers ProcessState::*list, const char* function, const ExitHandler& handler) {
  (calling_rank(function).process->*list).push_back(handler);
  return 0;
}

int rank_cxa_atexit(void (*function)(void*), void* argument, void* dso) {
  return add(&ProcessState::exit_handlers, "__cxa_atexit", {address_of(function), argument, dso});
}
int rank_atexit(void (*function)()) {
  return add(&ProcessState::exit_handlers, "atexit", {address_of(function)});
}
int rank_on_exit(void (*function)(int, void*), void* argument) {
  return add(&ProcessState::exit_handlers, "on_exit",
             {address_of(function), argument, nullptr, ExitHandler::Form::with_status});
}
int rank_cxa_thread_atexit(void (*function)(void*), void* argument, void* dso) {
  return add(&ProcessState::thread_exit_handlers, "__cxa_thread_atexit",
             {address_of(function), argument, dso});
}
int rank_at_quick_exit(void (*function)()) {
  return add(&ProcessState::quick_exit_handlers, "at_quick_exit", {address_of(function)});
}
int rank_cxa_at_quick_exit(void (*function)(void*), void* dso) {
  return add(&ProcessState::quick_exit_handlers, "__cxa_at_quick_exit", {address_of(function), nullptr, dso});
}

void rank_cxa_finalize(void* dso) {
  ProcessState& process = *calling_rank("__cxa_finalize").process;
  if (dso)
    run_those_of(process.exit_handlers, dso, process.exit_status);
  else
    run_all(process.exit_handlers, process.exit_status);
}

}  // namespace

std::span<const std::string_view> private_symbols() { return kPrivateLibrarySymbols; }

Rank& calling_rank(const char* function) {
  Rank* rank = current_rank();
  SKEIN_CHECK(rank,
              "%s() was called on a thread that the program started: threads inside ranks are not "
              "supported; run more ranks instead",
              function);
  return *rank;
}

ProcessState& create_process_state(Rank& rank, std::span<const char* const> arguments) {
  fiber::RuntimeScope runtime;
  std::pmr::polymorphic_allocator<> slot(&rank.memory);
  rank.process = slot.new_object<ProcessState>(&rank.memory);
  std::size_t text_bytes = 0;
  for (const char* argument : arguments) text_bytes += strlen(argument) + 1;
  char** argv = slot.allocate_object<char*>(arguments.size() + 1);
  char* text = slot.allocate_object<char>(text_bytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    argv[i] = text;
    text = stpcpy(text, arguments[i]) + 1;
  }
  argv[arguments.size()] = nullptr;
  rank.process->argc = static_cast<int>(arguments.size());
  rank.process->argv = argv;
  return *rank.process;
}

void exit_rank(int status) {
  Rank& rank = calling_rank("exit");
  ProcessState& process = *rank.process;
  process.exit_status = status & 0xff;
  run_all(process.thread_exit_handlers, status);
  run_all(process.exit_handlers, status);
  if (!process.fini_started) {
    process.fini_started = true;
    if (upcalls.run_destructors) upcalls.run_destructors(rank);
  }
  fflush(stdout);
  close_files(rank);
  if (in_forked_child()) ::_exit(status);
  end_rank(rank, status & 0xff);
}

const Overrides process_overrides({
    {"exit", address_of(exit_rank)},
    {"_exit", address_of(end_at_once)},
    {"_Exit", address_of(end_at_once)},
    {"quick_exit", address_of(rank_quick_exit)},
    {"atexit", address_of(rank_atexit)},
    {"on_exit", address_of(rank_on_exit)},
    {"at_quick_exit", address_of(rank_at_quick_exit)},
    {"__cxa_atexit", address_of(rank_cxa_atexit)},
    {"__cxa_at_quick_exit", address_of(rank_cxa_at_quick_exit)},
    {"__cxa_thread_atexit", address_of(rank_cxa_thread_atexit)},
    {"__cxa_thread_atexit_impl", address_of(rank_cxa_thread_atexit)},
    {"__cxa_finalize", address_of(rank_cxa_finalize)},
});

}  // namespace skein::libc

/// Libraries that all ranks share call exit(), too, on behalf of a rank.
extern "C" void exit(int status) noexcept {
  if (skein::libc::program_rank()) skein::libc::exit_rank(status);
  static const auto real = skein::libc::next_function<void(int)>("exit");
  real(status);
  __builtin_unreachable();
}
