// SPDX-License-Identifier: Apache-2.0
// A virtual rank as a process: its arguments, its environment, what runs when it ends, and how it ends. All of
// it lives in the rank's slot.
//
//   start:  create_process_state()  ->  program's _start / main(argc, argv)
//   end:    exit_rank(): thread-local destructors, atexit handlers (last registered first), the image's fini
//           functions, flush and close of the rank's files, the exit hook, finish_rank()
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/libc/override.hpp"

namespace skein {
struct Rank;
}

namespace skein::libc {

struct LibraryState;  // hidden state of C library functions; library_state.hpp
struct FileTable;     // the rank's open files; files.hpp

/// Function to call when the rank ends, or when the image `dso` is unloaded.
struct ExitHandler {
  enum class Form : std::uint8_t { plain, with_argument, with_status };
  void* function = nullptr;
  void* argument = nullptr;
  void* dso = nullptr;
  Form form = Form::plain;
};

/// The rank's environment. While nobody wrote to it and nobody holds `environ`, it is the one of the process
/// (equal on all PEs: the launcher sends the job's) and costs the slot nothing.
struct Environment {
  char** own = nullptr;         ///< null-terminated, in the slot; null while it is the process's
  char*** variable = nullptr;   ///< the program's `environ`, when the private library is loaded
  char** allocated = nullptr;   ///< the vector that setenv() grew last, to release it
  std::size_t capacity = 0;     ///< of `allocated`
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
  bool exiting = false;
  LibraryState* library = nullptr;  ///< made at the first call that needs it
  FileTable* files = nullptr;       ///< made when the rank opens its first file
};

/// Makes the state of `rank` in its slot and sets rank.process. `arguments[0]` is the program's name. Call
/// from the PE's own stack, when the rank's heap is initialised, before any of its program's code runs.
ProcessState& create_process_state(Rank& rank, std::span<const char* const> arguments);

/// The state of the rank that runs. Ends the job with a message naming `function` when no rank does: the
/// program called it on a thread of its own.
ProcessState& this_process(const char* function);

/// Ends the rank that runs, as exit() does. `status` is taken modulo 256, as a parent process sees it. Call on
/// the rank's stack with the rank's heap current; main()'s return value comes here too.
[[noreturn]] void exit_rank(int status);

/// Runs the fini functions (DT_FINI_ARRAY, DT_FINI) of the rank's images. Called once a rank, by exit_rank(),
/// on the rank's stack with the rank's heap current.
void set_fini_hook(void (*hook)(Rank& rank));

/// Called for every rank that ends by exit(), _exit(), quick_exit() or return from main, after its output is
/// flushed and before finish_rank(), on the rank's stack with the process's heap. Ends the job where
/// `status` is not 0, or where the rank initialised MPI and did not finalise it.
void set_exit_hook(void (*hook)(Rank& rank, int status));

/// Called by abort() and failed assertions, after `what` is known: ends the job with the rank's place and a
/// backtrace. Does not return. Without one, the process aborts.
void set_abort_hook(void (*hook)(Rank& rank, const char* what));

/// The private library, to be loaded once a rank ahead of the C library, and only when a program or a private
/// library refers to one of private_symbols(): it holds the *variables* that the C library shares with its
/// callers (optind, environ, signgam ...). It refers to overrides only by names that begin with skein_private_.
inline constexpr const char* private_library_name = "libskein_private.so";
std::span<const std::string_view> private_symbols();

/// exit(), atexit() and relatives, the environment, __cxa_*.
std::span<const Override> process_overrides();

}  // namespace skein::libc
