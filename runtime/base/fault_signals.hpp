// SPDX-License-Identifier: Apache-2.0
// The signals by which the processor reports a fault of the program, a bad address, instruction or division,
// and the one by which the C library does: it found the heap or the stack overwritten.
#pragma once

#include <signal.h>

namespace skein {

/// "segmentation fault" for SIGSEGV and so on.
const char* describe_fault(int signal);

/// Has every such signal of this process handled, on a stack of its own: a program that overflowed its stack
/// has none left to run a handler on. A fault of the handler itself calls it once more, on top of the first
/// call; one more ends the process.
void handle_faults(void (*handler)(int signal, siginfo_t* info));

}  // namespace skein
