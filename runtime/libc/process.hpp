// SPDX-License-Identifier: Apache-2.0
// A virtual rank as a process: its arguments, its environment, what runs when it ends, and how it ends. All
// of it lives in the rank's slot.
//
//   start:  create_process_state()  ->  program's _start / main(argc, argv, environment_of(rank))
//   end:    exit_rank(): thread-local destructors, atexit handlers (last registered first), the image's fini
//           functions, flush and close of the rank's files, Upcalls::rank_ends, the end of the rank's fiber
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/libc/environment.hpp"

namespace skein {
struct Rank;
}

namespace skein::libc {

struct LibraryState;  // hidden state of C library functions; library_state.hpp
struct FileTable;     // the rank's open files; file_table.hpp

/// A function to call when the rank ends, or when the image `dso` is unloaded.
struct ExitHandler {
  enum class Form : std::uint8_t { with_argument, with_status };
  void* function = nullptr;  ///< void(void*), or void(int, void*) for on_exit()
  void* argument = nullptr;
  void* dso = nullptr;
  Form form = Form::with_argument;
};

struct ProcessState {
  explicit ProcessState(std::pmr::memory_resource* memory)
      : exit_handlers(memory), thread_exit_handlers(memory), quick_exit_handlers(memory) {}

  int argc = 0;
  char** argv = nullptr;  ///< argc strings and a null, all in the slot: programs write to them
  Environment environment;
  std::pmr::vector<ExitHandler> exit_handlers;
  std::pmr::vector<ExitHandler> thread_exit_handlers;
  std::pmr::vector<ExitHandler> quick_exit_handlers;
  int exit_status = 0;  ///< valid once the rank is done
  bool fini_started = false;
  bool unbuffered_output = false;   ///< setvbuf() made stdout unbuffered, which each PE does again
  LibraryState* library = nullptr;  ///< made at the first call that needs it
  FILE* standard_input = nullptr;   ///< made at its first use; standard_input.hpp
  FileTable* files = nullptr;       ///< made when the rank opens its first file
};

/// Makes the state of `rank` in its slot and sets rank.process. `arguments[0]` is the program's name. Called
/// from the PE's own stack, when the rank's heap is initialised, before any of its program's code runs.
ProcessState& create_process_state(Rank& rank, std::span<const char* const> arguments);

/// Returns the running rank. If there is none, as the program called `function` on a thread of its own, ends
/// the job with a message naming it.
Rank& calling_rank(const char* function);

/// Ends the running rank, like exit(). `status` counts modulo 256, as a parent process sees it. Called on the
/// rank's main fiber with the rank's heap current; main()'s return value comes here too.
[[noreturn]] void exit_rank(int status);

/// Returns true if this process was forked off by a rank's program: it must never run Skein's scheduler, and
/// ends by the C library's own _exit(). Costs a system call. The launcher is the process that called
/// remember_process_id() last (prepare_c_library() does).
bool in_forked_child();
void remember_process_id();
/// Returns the launcher's process.
pid_t launcher_process();

/// The private library, which holds the *variables* that the C library shares with its callers (optind,
/// environ, signgam ...) and the functions that use them. Loaded once a rank ahead of the C library, its
/// constructors first, if a program or a private library refers to one of private_symbols().
inline constexpr const char* kPrivateLibraryName = "libskein_private.so";
std::span<const std::string_view> private_symbols();

}  // namespace skein::libc
