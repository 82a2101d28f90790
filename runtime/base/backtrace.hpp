// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ucontext.h>

#include <cstddef>

namespace skein {

enum class Frames {
  all,
  of_program  ///< without those of this executable, which is the launcher: what a rank's own calls are
};

/// Prints the calls that led here to standard error, innermost first, one a line, all in one write. Allocates
/// nothing and takes no lock, once prepare_backtraces() was called.
///
/// Not glibc's backtrace(): that keeps the unwinder's address mangled with the process's pointer guard, which
/// is another one while a rank runs.
void print_backtrace(Frames frames);
/// The calls that led to where a signal came, from its handler.
void print_backtrace_of(const ucontext_t& interrupted, Frames frames);

/// Writes a text to `out` that names one place of the code alike in all processes of a job: the innermost of
/// these calls in the program, or where the signal came if there is none in it. Until the former is known,
/// `out` has the latter.
void describe_place(const ucontext_t& interrupted, char* out, std::size_t bytes);

/// What unwinding does once only, and would do in a handler otherwise. At start.
void prepare_backtraces();

/// A function's name as people read it, put into `out`, if the runtime can (upcalls.hpp), or else `name`.
const char* readable_name(const char* name, char* out, std::size_t bytes);

}  // namespace skein
