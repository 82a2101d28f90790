// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein {
struct Rank;

/// Ends the whole job because of an action of a rank: prints `rank R on PE P: <message>` (printf form) and a
/// backtrace of the rank, flushes what the ranks of this PE have printed, and takes all PEs down with
/// `status`, or 1 if a parent process would see 0 of it. With the status of an abort, and a limit that asks
/// for core dumps, this process leaves one. Callable from a rank and from the PE's own stack.
[[noreturn]] void end_job(const Rank& rank, int status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// Ends the job without a backtrace, for an ordinary decision of the program (exit status, MPI_Abort).
[[noreturn]] void end_job_plainly(const Rank& rank, int status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// Prints `skein: rank R on PE P: <message>`. Callable from handlers of faults.
void say_of(const Rank& rank, const char* format, ...) __attribute__((format(printf, 2, 3)));
/// Warns (SKEIN_WARN) of what a rank did, unless this PE has already warned in this format.
void warn_once(const char* format, ...) __attribute__((format(printf, 1, 2)));
/// Flushes what the ranks of this PE have printed, and says goodbye; for handlers of faults.
void say_last_words();

/// Watches for faults (segmentation fault, bus error, illegal instruction, arithmetic exception) and aborts
/// from here on. Each prints the rank, what happened where, and its calls, and ends this process within two
/// seconds, whatever state its heap is in (runtime/base/fault_signals.hpp); a stack overflow of a rank says
/// so and names --stack-size. If the limit asks for core dumps, the process leaves one that has the rank's
/// memory. Call it on the PE's main thread, once. (faults.cpp)
void watch_for_faults();

}  // namespace skein
