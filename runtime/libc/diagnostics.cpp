// SPDX-License-Identifier: Apache-2.0
// The C library's functions that print and then end the process: in a rank they name it and end the job, or
// end the rank like exit(). The C library's own would run the launcher's exit handlers on a rank's stack.
#include <err.h>
#include <error.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/rank/end_job.hpp"

namespace skein::libc {
namespace {

constexpr int kAbortStatus = 128 + 6;  // what a shell reports for SIGABRT

[[noreturn]] void rank_assert_fail(const char* expression, const char* file, unsigned line,
                                   const char* function) {
  end_job(calling_rank("assert"), kAbortStatus, "%s:%u: %s%sAssertion `%s' failed", file, line,
          function ? function : "", function ? ": " : "", expression);
}

[[noreturn]] void rank_assert_perror_fail(int error_number, const char* file, unsigned line,
                                          const char* function) {
  end_job(calling_rank("assert_perror"), kAbortStatus, "%s:%u: %s%sUnexpected error: %s", file, line,
          function ? function : "", function ? ": " : "", strerrordesc_np(error_number));
}

[[noreturn]] void rank_verr(int status, const char* text, va_list args) {
  vwarn(text, args);
  exit_rank(status);
}
[[noreturn]] void rank_verrx(int status, const char* text, va_list args) {
  vwarnx(text, args);
  exit_rank(status);
}
[[noreturn]] void rank_err(int status, const char* text, ...) {
  va_list args;
  va_start(args, text);
  rank_verr(status, text, args);
}
[[noreturn]] void rank_errx(int status, const char* text, ...) {
  va_list args;
  va_start(args, text);
  rank_verrx(status, text, args);
}

/// Prints for error(3) and error_at_line(3): `place` follows the program's name.
void report(int status, int error_number, const char* place, const char* text, va_list args) {
  fflush(stdout);
  if (error_print_progname)
    error_print_progname();
  else
    fprintf(stderr, "%s:%s", program_invocation_name, *place ? "" : " ");
  fputs(place, stderr);
  vfprintf(stderr, text, args);
  errno = error_number;
  if (error_number) fprintf(stderr, ": %m");
  fputc('\n', stderr);
  ++error_message_count;
  if (status) exit_rank(status);
}

void rank_error(int status, int error_number, const char* text, ...) {
  va_list args;
  va_start(args, text);
  report(status, error_number, "", text, args);
  va_end(args);
}

void rank_error_at_line(int status, int error_number, const char* file, unsigned line, const char* text,
                        ...) {
  char place[512] = " ";
  if (file) snprintf(place, sizeof place, "%s:%u: ", file, line);
  va_list args;
  va_start(args, text);
  report(status, error_number, place, text, args);
  va_end(args);
}

}  // namespace

const Overrides diagnostic_overrides({
    {"abort", address_of(abort)},
    {"__assert_fail", address_of(rank_assert_fail)},
    {"__assert_perror_fail", address_of(rank_assert_perror_fail)},
    {"err", address_of(rank_err)},
    {"errx", address_of(rank_errx)},
    {"verr", address_of(rank_verr)},
    {"verrx", address_of(rank_verrx)},
    {"error", address_of(rank_error)},
    {"error_at_line", address_of(rank_error_at_line)},
});

}  // namespace skein::libc

/// std::terminate() and other shared libraries call abort() on behalf of a rank.
extern "C" void abort() noexcept {
  using namespace skein::libc;
  if (skein::Rank* rank = program_rank(); rank && !in_forked_child())
    skein::end_job(*rank, kAbortStatus, "abort() was called");
  static const auto real = next_function<void()>("abort");
  real();
  __builtin_unreachable();
}
