// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/standard_input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdint>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::libc {
namespace {

constexpr std::uint64_t kFirstReadPauseNs = 10'000, kLongestReadPauseNs = 1'000'000;

bool has_input_or_end() {
  // Reading a terminal would stop a job in the background.
  if (isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) >= 0 && tcgetpgrp(STDIN_FILENO) != getpgrp())
    return false;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, 0) != 0;
}

/// Returns when a read would not wait.
void wait_for_input() {
  fiber::RuntimeScope runtime;
  if (fcntl(STDIN_FILENO, F_GETFL) & O_NONBLOCK) return;  // the program waits by itself
  for (std::uint64_t pause = kFirstReadPauseNs; !has_input_or_end();
       pause = std::min(2 * pause, kLongestReadPauseNs))
    sleep_for(pause);
}

template <class Read>
ssize_t read_input(const Rank& rank, Read read) {
  if (!has_standard_input(rank)) return 0;
  wait_for_input();
  return read();
}

/// Waits before a function of the C library that would wait by itself. It still waits for what it reads
/// beyond the present input, like the rest of a line.
void wait_to_read(FILE* stream) {
  const Rank* rank = program_rank();
  if (!rank || !is_standard_input(*rank, stream) || !has_standard_input(*rank)) return;
  if (stream->_IO_read_ptr >= stream->_IO_read_end && !feof(stream)) wait_for_input();
}
template <class Argument>
void wait_to_read(Argument) {}

template <auto Function, class Result, class... Arguments>
Override after_waiting(const char* name, Result (*)(Arguments...)) {
  return {name, address_of(+[](Arguments... arguments) -> Result {
            (wait_to_read(arguments), ...);
            return Function(arguments...);
          })};
}

/// Returns the rank's stream for the process's.
FILE* own(FILE* stream) {
  if (stream != stdin) return stream;
  Rank* rank = program_rank();
  return rank ? standard_input(*rank) : stream;
}
FILE* own_to_read(FILE* stream) {
  if (stream != stdin) return stream;
  stream = own(stream);
  wait_to_read(stream);
  return stream;
}

FILE* own_input(const char* function) {
  FILE* stream = standard_input(calling_rank(function));
  wait_to_read(stream);
  return stream;
}

ssize_t rank_read(int descriptor, void* buffer, std::size_t bytes) {
  if (descriptor != STDIN_FILENO) return read(descriptor, buffer, bytes);
  return read_input(calling_rank("read"), [=] { return read(STDIN_FILENO, buffer, bytes); });
}
ssize_t rank_read_checked(int descriptor, void* buffer, std::size_t bytes, std::size_t room) {
  SKEIN_CHECK(bytes <= room, "read() of %zu bytes into a buffer of %zu", bytes, room);
  return rank_read(descriptor, buffer, bytes);
}
ssize_t rank_readv(int descriptor, const iovec* parts, int count) {
  if (descriptor != STDIN_FILENO) return readv(descriptor, parts, count);
  return read_input(calling_rank("readv"), [=] { return readv(STDIN_FILENO, parts, count); });
}

int rank_getchar() { return fgetc(own_input("getchar")); }
wint_t rank_getwchar() { return fgetwc(standard_input(calling_rank("getwchar"))); }

char* rank_gets(char* line) {
  FILE* input = own_input("gets");
  char* at = line;
  int c;
  while ((c = fgetc(input)) != EOF && c != '\n') *at++ = static_cast<char>(c);
  *at = '\0';
  return (c == EOF && at == line) || ferror(input) ? nullptr : line;
}

template <class Character>
using Scan = int (*)(FILE*, const Character*, va_list);

/// Returns the C library's scanf() of a kind: each version of the language has its own, and older libraries
/// lack some.
template <class Character>
Scan<Character> scan_of(const char* name, const char* older) {
  fiber::RuntimeScope runtime;
  void* address = dlsym(RTLD_NEXT, name);
  if (!address) address = dlsym(RTLD_NEXT, older);
  SKEIN_CHECK(address, "the C library has no %s", older);
  return reinterpret_cast<Scan<Character>>(address);
}

enum class Kind { original, c99, c23 };

template <Kind kind>
struct Scans {
  static int from_stream(FILE* stream, const char* format, va_list arguments) {
    static const auto real = scan_of<char>(kind == Kind::original ? "vfscanf"
                                           : kind == Kind::c99    ? "__isoc99_vfscanf"
                                                                  : "__isoc23_vfscanf",
                                           kind == Kind::original ? "vfscanf" : "__isoc99_vfscanf");
    wait_to_read(stream);
    return real(stream, format, arguments);
  }
  static int narrow(const char* format, va_list arguments) {
    return from_stream(standard_input(calling_rank("scanf")), format, arguments);
  }
  static int wide(const wchar_t* format, va_list arguments) {
    static const auto real = scan_of<wchar_t>(kind == Kind::original ? "vfwscanf"
                                              : kind == Kind::c99    ? "__isoc99_vfwscanf"
                                                                     : "__isoc23_vfwscanf",
                                              kind == Kind::original ? "vfwscanf" : "__isoc99_vfwscanf");
    return real(standard_input(calling_rank("wscanf")), format, arguments);
  }
  static int from_stream_listed(FILE* stream, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = from_stream(stream, format, arguments);
    va_end(arguments);
    return result;
  }
  static int narrow_listed(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = narrow(format, arguments);
    va_end(arguments);
    return result;
  }
  static int wide_listed(const wchar_t* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int result = wide(format, arguments);
    va_end(arguments);
    return result;
  }
};

/// Sets the program's variable; called by the private library's constructor.
void register_input(FILE** variable) { *variable = standard_input(calling_rank("skein_private_stdin")); }

}  // namespace

int input_number(const Rank& rank) { return has_standard_input(rank) ? STDIN_FILENO : empty_input(); }

FILE* standard_input(Rank& rank) {
  ProcessState& process = *rank.process;
  if (!process.standard_input) process.standard_input = fdopen(input_number(rank), "r");
  return process.standard_input;
}

bool is_standard_input(const Rank& rank, const FILE* stream) {
  return stream == rank.process->standard_input && stream->_fileno == input_number(rank);
}

bool has_standard_input(const Rank& rank) { return rank.id == 0; }

const char* input_bound_to_node(const Rank& rank) {
  if (!has_standard_input(rank)) return nullptr;
  struct stat status;
  if (fstat(STDIN_FILENO, &status) != 0) return nullptr;
  bool ended = false;
  if (S_ISREG(status.st_mode)) {
    ended = lseek(STDIN_FILENO, 0, SEEK_CUR) >= status.st_size;
  } else if (S_ISCHR(status.st_mode)) {
    ended = !isatty(STDIN_FILENO);  // /dev/null
  } else {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    ended = poll(&input, 1, 0) == 1 && !(input.revents & POLLIN);
  }
  return ended ? nullptr : "the job's standard input, which it may read, is on this node";
}

#define SKEIN_AFTER_WAITING(function) after_waiting<&::function>(#function, &::function)

const Overrides standard_input_overrides({
    {"read", address_of(rank_read)},
    {"__read_chk", address_of(rank_read_checked)},
    {"readv", address_of(rank_readv)},
    {"getchar", address_of(rank_getchar)},
    {"getchar_unlocked", address_of(rank_getchar)},
    {"getwchar", address_of(rank_getwchar)},
    {"getwchar_unlocked", address_of(rank_getwchar)},
    {"gets", address_of(rank_gets)},
    SKEIN_AFTER_WAITING(fgetc),
    SKEIN_AFTER_WAITING(getc),
    SKEIN_AFTER_WAITING(fgets),
    SKEIN_AFTER_WAITING(fread),
    SKEIN_AFTER_WAITING(getline),
    SKEIN_AFTER_WAITING(getdelim),
    SKEIN_AFTER_WAITING(__getdelim),
    {"fscanf", address_of(Scans<Kind::original>::from_stream_listed)},
    {"vfscanf", address_of(Scans<Kind::original>::from_stream)},
    {"__isoc99_fscanf", address_of(Scans<Kind::c99>::from_stream_listed)},
    {"__isoc99_vfscanf", address_of(Scans<Kind::c99>::from_stream)},
    {"__isoc23_fscanf", address_of(Scans<Kind::c23>::from_stream_listed)},
    {"__isoc23_vfscanf", address_of(Scans<Kind::c23>::from_stream)},
    {"scanf", address_of(Scans<Kind::original>::narrow_listed)},
    {"vscanf", address_of(Scans<Kind::original>::narrow)},
    {"wscanf", address_of(Scans<Kind::original>::wide_listed)},
    {"vwscanf", address_of(Scans<Kind::original>::wide)},
    {"__isoc99_scanf", address_of(Scans<Kind::c99>::narrow_listed)},
    {"__isoc99_vscanf", address_of(Scans<Kind::c99>::narrow)},
    {"__isoc99_wscanf", address_of(Scans<Kind::c99>::wide_listed)},
    {"__isoc99_vwscanf", address_of(Scans<Kind::c99>::wide)},
    {"__isoc23_scanf", address_of(Scans<Kind::c23>::narrow_listed)},
    {"__isoc23_vscanf", address_of(Scans<Kind::c23>::narrow)},
    {"__isoc23_wscanf", address_of(Scans<Kind::c23>::wide_listed)},
    {"__isoc23_vwscanf", address_of(Scans<Kind::c23>::wide)},
    {"skein_private_stdin", address_of(register_input)},
});

}  // namespace skein::libc

using skein::libc::next_function;
using skein::libc::own;
using skein::libc::own_to_read;

/// The functions by which std::cin reads: the shared C++ library finds these before the C library's.
extern "C" {

int getc(FILE* stream) {
  static const auto real = next_function<int(FILE*)>("getc");
  return real(own_to_read(stream));
}
int ungetc(int c, FILE* stream) {
  static const auto real = next_function<int(int, FILE*)>("ungetc");
  return real(c, own(stream));
}
size_t fread(void* buffer, size_t bytes, size_t count, FILE* stream) {
  static const auto real = next_function<size_t(void*, size_t, size_t, FILE*)>("fread");
  return real(buffer, bytes, count, own_to_read(stream));
}
wint_t getwc(FILE* stream) {
  static const auto real = next_function<wint_t(FILE*)>("getwc");
  return real(own(stream));
}
wint_t ungetwc(wint_t c, FILE* stream) {
  static const auto real = next_function<wint_t(wint_t, FILE*)>("ungetwc");
  return real(c, own(stream));
}

}  // extern "C"
