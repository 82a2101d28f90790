// SPDX-License-Identifier: Apache-2.0
// Functions that layers call in the layers above them, which they do not know. All are named here and set at
// once, when the runtime of a PE is made (runtime/base/pe_runtime.hpp), so that none is forgotten and no
// runtime that is over is called.
#pragma once

#include <cstddef>

namespace skein {

struct Rank;
namespace arena {
class Heap;
}

/// The arguments of a program's main().
struct ProgramArguments {
  int argc = 0;
  char** argv = nullptr;         ///< argc strings and a null
  char** environment = nullptr;  ///< like environ
};

/// Without a runtime all are null, and nobody calls them.
struct Upcalls {
  /// Returns the number of the running rank, or -1. Callable from anywhere, fault handlers included.
  int (*running_rank)() = nullptr;
  /// Ends the job on all PEs; may return where the process is the job.
  void (*take_down)(int status) = nullptr;
  /// Describes code that the dynamic linker does not know (private images), for backtraces; returns false if
  /// unknown here, too. Callable from fault handlers.
  bool (*describe_code)(const void* address, char* out, std::size_t bytes) = nullptr;
  /// Turns a function's name, as linkers know it, into a readable one; returns false if it is none of C++'s.
  /// Callable from fault handlers.
  bool (*read_name)(const char* name, char* out, std::size_t bytes) = nullptr;
  /// Tells others before this process ends by a fault. Callable from fault handlers.
  void (*say_goodbye)() = nullptr;
  /// Ends the job with a message that names the rank of a heap that found a block which is none, or is
  /// overwritten.
  void (*report_bad_block)(const arena::Heap& heap, const void* payload, const char* why) = nullptr;
  /// Delivers what other PEs sent; called on the stack of a rank that lets others go first.
  void (*poll)() = nullptr;
  /// Polls for one message, on the stack of a rank that would block while no other is ready. That saves two
  /// switches on the path of a short message.
  void (*poll_one)() = nullptr;
  /// Waits a while for a message; called on the stack of a fiber that sleeps while all others are blocked,
  /// between two polls.
  void (*wait)() = nullptr;
  /// Notes that this PE has nothing to do; called again and again while that lasts.
  void (*idle)() = nullptr;
  /// Notes that the running rank changes (null: to or from the PE itself): for counters that cost too much to
  /// read always.
  void (*rank_changes)(Rank* from, Rank* to) = nullptr;
  /// Returns the arguments of a rank whose program starts. Called on the rank's stack.
  ProgramArguments (*arguments_of)(Rank& rank) = nullptr;
  /// Ends the main() of the running rank, like exit(): does not return.
  void (*exit_program)(int status) = nullptr;
  /// Runs the fini functions (DT_FINI_ARRAY, DT_FINI) of the rank's images: once a rank, on its stack, its
  /// heap in force.
  void (*run_destructors)(Rank& rank) = nullptr;
  /// Ends a rank after exit(), _exit(), quick_exit() or return from main, with its output flushed: on its
  /// stack, the process's heap in force. Ends the job if `status` is not 0, or if the rank initialised MPI
  /// and did not finalise it.
  void (*rank_ends)(Rank& rank, int status) = nullptr;
};

/// The upcalls of the runtime that exists; set by PeRuntime.
extern Upcalls upcalls;
/// The number of this PE; 0 before the transport started.
extern int own_pe;

}  // namespace skein
