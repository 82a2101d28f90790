// SPDX-License-Identifier: Apache-2.0
// The signals by which the processor reports a fault of the program, a bad address, instruction or division,
// and the one by which the C library does: it found the heap or the stack overwritten.
//
// What runs in a handler allocates nothing and takes no lock: the code that was interrupted may hold the
// allocator's, over a heap that is spoilt. So it does not ask the MPI underneath to end the job either: the
// process ends, and its launcher ends the others.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <ucontext.h>

#include <atomic>
#include <cstddef>

namespace skein {

/// "segmentation fault" for SIGSEGV and so on.
const char* describe_fault(int signal);
bool is_fault_signal(int signal);

using FaultHandler = void (*)(int signal, const siginfo_t& info, const ucontext_t& interrupted);

/// Has every such signal of this process handled, on a stack of its own: a program that overflowed its stack
/// has none left to run a handler on. `report` prints; then `last_words` are said, and the process ends by
/// end_by_signal(). A fault of the former is followed by the latter, one of the latter by the end; and what
/// has not come to an end after a second and a half is ended.
void handle_faults(FaultHandler report, void (*last_words)());

/// For a calling thread whose work the process can do without: if it faults it stands still for ever,
/// on the handlers' stack that `stack` points to, and `signal` says by which. Nothing is printed. What it
/// held, locks and memory, it holds on: once the thread `beside`, by which the process goes on, has waited
/// for a lock for so long, the process ends, with a line that says so. One thread at a time; by null that
/// ends, and its faults are as any other's.
struct FaultsAlone {
  std::atomic<int>* signal;
  void* stack;
  std::size_t stack_bytes;
  pid_t beside;
  double patience_s = 10;
};
void keep_faults_to_this_thread(const FaultsAlone* alone);

/// Ends this process: with a core dump of all threads where the limit (ulimit -c) asks for one, before which
/// `prepare_core_dump` is called, else with the status 128 + `signal`. Callable from handlers.
[[noreturn]] void end_by_signal(int signal);
/// Whether the limit asks for core dumps.
bool dumps_core();
/// Which fault this process ends by, and where in the code it was; empty if by none. Callable from handlers.
const char* fault_of_process();
/// They are handled again as before handle_faults().
void release_faults();

void set_core_preparation(void (*prepare_core_dump)());

}  // namespace skein
