// SPDX-License-Identifier: Apache-2.0
// The signals by which the processor reports a fault of the program: a bad address, instruction or division.
#pragma once

#include <signal.h>

namespace skein {

/// "segmentation fault" for SIGSEGV and so on.
const char* describe_fault(int signal);

/// Has every such signal of this process handled, on a stack of its own: a program that overflowed its stack
/// has none left to run a handler on. Before the handler runs, the signal gets its default effect back, so
/// that a second fault ends the process.
void handle_faults(void (*handler)(int signal, siginfo_t* info));

}  // namespace skein
