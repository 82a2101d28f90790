// SPDX-License-Identifier: Apache-2.0
// The two secrets of the C library's defences: the stack canary (fs:0x28), which protected functions put into
// their frames, and the pointer guard (fs:0x30), with which setjmp() and atexit() hide addresses. Frames and
// jmp_bufs made on one PE are checked on another, so both are values of the job: drawn by its first PE at
// start, equal on all PEs, in force around ranks.
#pragma once

#include <cstdint>

namespace skein {

struct JobGuards {
  std::uint64_t canary = 0;  ///< its lowest byte is 0: a string that runs over ends before it
  std::uint64_t pointer = 0;
};

/// The guards of the job; zeroes until a program that runs ranks sets them, before the first of them runs.
extern JobGuards job_guards;

/// Draws random guards. Throws skein::Error if the system gives no random numbers.
JobGuards draw_job_guards();

/// Puts the job's canary into force, for good. Call it only from a function that never returns, since that
/// would find another canary than on entry.
__attribute__((always_inline)) inline void set_stack_canary() {
  asm volatile("mov %0, %%fs:0x28" ::"r"(job_guards.canary));
}

}  // namespace skein
