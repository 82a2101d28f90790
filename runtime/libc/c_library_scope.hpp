// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/fiber/thread_block.hpp"
#include "runtime/rank/process_guard.hpp"

namespace skein::libc {

/// For calls of a rank that work on what the C library keeps once a process: while it lives the process's
/// heap and pointer guard are in force. The library's modules for the name service and for character sets are
/// loaded once a process, perhaps by the MPI underneath, and called through pointers mangled with that guard.
/// No switch may happen meanwhile.
class CLibraryScope {
  fiber::RuntimeScope heap_;
  ProcessGuardScope guard_;
};

}  // namespace skein::libc
