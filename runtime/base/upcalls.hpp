// SPDX-License-Identifier: Apache-2.0
// What layers ask of those above them, which they do not know. All of it is named here and given at once,
// when the runtime of a PE is made (runtime/base/pe_runtime.hpp), so that none is forgotten and nothing is
// asked of a runtime that is over.
#pragma once

#include <cstddef>

namespace skein {

struct Rank;
namespace arena {
class Heap;
}

/// What a program's main() is given.
struct ProgramArguments {
  int argc = 0;
  char** argv = nullptr;         ///< argc strings and a null
  char** environment = nullptr;  ///< as environ
};

/// Without a runtime all are null, and nobody asks.
struct Upcalls {
  /// The number of the rank that runs, or -1. Callable from anywhere, fault handlers included.
  int (*running_rank)() = nullptr;
  /// Ends the job on all PEs; may return where the process is the job.
  void (*take_down)(int status) = nullptr;
  /// Describes code that the dynamic linker does not know (private images), for backtraces: false for what it
  /// does not know either. Callable from fault handlers.
  bool (*describe_code)(const void* address, char* out, std::size_t bytes) = nullptr;
  /// Turns a function's name, as linkers know it, into one that people read: false if it is none of C++'s.
  /// Callable from fault handlers.
  bool (*read_name)(const char* name, char* out, std::size_t bytes) = nullptr;
  /// What is owed to others before this process ends by a fault. Callable from fault handlers.
  void (*say_goodbye)() = nullptr;
  /// A heap found a block that is none, or is overwritten: ends the job with a message that names its rank.
  void (*report_bad_block)(const arena::Heap& heap, const void* payload, const char* why) = nullptr;
  /// Takes in what other PEs sent: asked on the stack of a rank that lets others go first.
  void (*poll)() = nullptr;
  /// Polls for one message, on the stack of a rank that would block while no other is ready. That saves two
  /// switches on the path of a short message.
  void (*poll_one)() = nullptr;
  /// Waits a while for a message to come: asked on the stack of a fiber that sleeps while all others are
  /// blocked, between two polls.
  void (*wait)() = nullptr;
  /// This PE has nothing to do; asked by turns while that lasts.
  void (*idle)() = nullptr;
  /// The running rank changes (null: to or from the PE itself): for counters that cost too much to read
  /// always.
  void (*rank_changes)(Rank* from, Rank* to) = nullptr;
  /// The arguments of a rank whose program starts. Called on the rank's stack.
  ProgramArguments (*arguments_of)(Rank& rank) = nullptr;
  /// As exit(), for the main() of the rank that runs: does not return.
  void (*exit_program)(int status) = nullptr;
  /// Runs the fini functions (DT_FINI_ARRAY, DT_FINI) of the rank's images: once a rank, on its stack, its
  /// heap in force.
  void (*run_destructors)(Rank& rank) = nullptr;
  /// A rank ends by exit(), _exit(), quick_exit() or return from main, and its output is flushed: on its
  /// stack, the process's heap in force. It ends the job where `status` is not 0, or where the rank
  /// initialised MPI and did not finalise it.
  void (*rank_ends)(Rank& rank, int status) = nullptr;
};

/// The upcalls of the runtime that exists; set by PeRuntime.
extern Upcalls upcalls;
/// The PE that this process is; 0 before the transport started.
extern int own_pe;

}  // namespace skein
