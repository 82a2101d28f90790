// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ucontext.h>

#include <cstddef>

namespace skein {

enum class Frames {
  all,
  of_program  ///< without those of this executable, the launcher: the rank's own calls
};

/// Prints the calls that led here to standard error, innermost first, one a line, all in one write. Allocates
/// nothing and takes no lock, once prepare_backtraces() was called.
///
/// Does not use glibc's backtrace(): that keeps the unwinder's address mangled with the process's pointer
/// guard, which is another one while a rank runs.
void print_backtrace(Frames frames);
/// Prints the calls that led to the interrupted instruction, from a signal's handler.
void print_backtrace_of(const ucontext_t& interrupted, Frames frames);

/// Writes to `out` a text that names one place of the code alike in all processes of a job: the innermost of
/// these calls in the program (in a native job: outside the C library), or the interrupted instruction if
/// there is none. `out` has the latter until the former is known.
void describe_place(const ucontext_t& interrupted, char* out, std::size_t bytes);

/// Does, at start, what unwinding does only once, and would otherwise do in a handler.
void prepare_backtraces();

/// Returns a function's name as people read it, put into `out`, if the runtime can make it (upcalls.hpp), or
/// else `name`.
const char* readable_name(const char* name, char* out, std::size_t bytes);

}  // namespace skein
