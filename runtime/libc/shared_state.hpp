// SPDX-License-Identifier: Apache-2.0
// State that the C and C++ libraries keep once a process, for all ranks of a PE: the locale, the time zone,
// caches of the name service, the standard streams' buffers. It must never lie in a slot, because the rank
// whose call happened to create it may leave.
#pragma once

#include "runtime/fiber/thread_block.hpp"
#include "runtime/rank/process_guard.hpp"

namespace skein::libc {

/// Makes ahead of time what the libraries would otherwise allocate at a rank's first call, and makes standard
/// output line-buffered. `program_name` is what the C library's messages show. Called first in main(), on
/// every PE, before a library of the program is loaded. Ranks' setlocale() acts on their whole PE.
void prepare_c_library(const char* program_name);

/// Makes output of this PE unbuffered from here on: a rank that asked for it is here, or was.
void unbuffer_standard_output();

/// Puts the process's heap and pointer guard in force for the scope: for calls of a rank that work on what
/// the C library keeps once a process. The library's modules for the name service and for character sets are
/// loaded once a process, perhaps by the MPI underneath, and called through pointers mangled with that guard.
/// No switch may happen meanwhile.
class CLibraryScope {
  fiber::RuntimeScope heap_;
  ProcessGuardScope guard_;
};

}  // namespace skein::libc
