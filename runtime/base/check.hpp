// SPDX-License-Identifier: Apache-2.0
// Broken invariants of Skein itself. They end the job in every build: a runtime that goes on after one would
// give wrong answers, and a wrong answer costs a user more than a crash.
#pragma once

namespace skein {

/// Prints PE, rank (if one runs), file, line, the condition, the message (printf form) and a backtrace, then
/// ends the whole job, or this process if it has no runtime. Callable from anywhere, signal handlers
/// excepted.
[[noreturn]] void check_failed(const char* file, int line, const char* condition, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

}  // namespace skein

/// Usage: SKEIN_CHECK(bytes <= limit, "slot of %zu bytes", bytes)
#define SKEIN_CHECK(condition, ...)             \
  (__builtin_expect(!!(condition), 1) ? (void)0 \
                                      : ::skein::check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))

#ifdef NDEBUG
#define SKEIN_DCHECK(condition, ...) ((void)0)
#else
#define SKEIN_DCHECK(condition, ...) SKEIN_CHECK(condition, __VA_ARGS__)
#endif
