// SPDX-License-Identifier: Apache-2.0
// The signals by which the processor reports a fault of the program (a bad address, instruction or division),
// and the one by which the C library does (it found the heap or the stack overwritten).
//
// A handler allocates nothing and takes no lock: the interrupted code may hold the allocator's lock, over a
// corrupt heap. So it does not ask the MPI underneath to end the job either: the process ends, and its
// launcher ends the others.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <ucontext.h>

#include <atomic>
#include <cstddef>

namespace skein {

/// Returns "segmentation fault" for SIGSEGV and so on.
const char* describe_fault(int signal);
bool is_fault_signal(int signal);

using FaultHandler = void (*)(int signal, const siginfo_t& info, const ucontext_t& interrupted);

/// Handles all these signals of this process, on a stack of its own: a program that overflowed its stack has
/// none left to run a handler on. `report` prints; then `last_words` is called, and the process ends by
/// end_by_signal(). A fault in `report` leads to `last_words`, one in `last_words` to the end; after a second
/// and a half the process ends in any case.
void handle_faults(FaultHandler report, void (*last_words)());

/// Isolates the faults of the calling thread, whose work the process can do without. If the thread faults, it
/// stands still for ever, on the handlers' stack that `stack` points to, and `signal` gets the signal.
/// Nothing is printed. The thread keeps its locks and memory: once the thread `beside`, on which the process
/// continues, has waited for a lock for `patience_s`, the process ends, with a line that says so. One thread
/// at a time; null ends this, and makes the thread's faults ordinary ones.
struct FaultsAlone {
  std::atomic<int>* signal;
  void* stack;
  std::size_t stack_bytes;
  pid_t beside;
  double patience_s = 10;
};
void keep_faults_to_this_thread(const FaultsAlone* alone);

/// Ends this process: with a core dump of all threads if the limit (ulimit -c) asks for one, after a call of
/// `prepare_core_dump`, else with the status 128 + `signal`. Callable from handlers.
[[noreturn]] void end_by_signal(int signal);
/// Returns true if the limit asks for core dumps.
bool dumps_core();
/// Returns the fault by which this process ends, and its place in the code; empty if there is none. Callable
/// from handlers.
const char* fault_of_process();
/// Restores the handling of these signals from before handle_faults().
void release_faults();

void set_core_preparation(void (*prepare_core_dump)());

}  // namespace skein
