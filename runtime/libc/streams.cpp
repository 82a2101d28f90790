// SPDX-License-Identifier: Apache-2.0
// stdio for ranks. The launcher exports these under the C library's names, because the shared C++ library
// opens its files through them; for callers other than ranks they pass straight on.
#include <unistd.h>
#include <wchar.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/descriptor_owners.hpp"
#include "runtime/libc/environment.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/files.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/program_file.hpp"
#include "runtime/libc/standard_input.hpp"
#include "runtime/rank/end_job.hpp"

namespace skein::libc {
namespace {

/// Enters a stream just opened, if a rank did it, with its descriptor if it has one.
FILE* opened(FILE* stream) {
  if (!stream) return stream;
  Rank* rank = program_rank();
  if (!rank) {
    note_descriptor_of_process(stream->_fileno);
    return stream;
  }
  if (stream->_fileno >= 0) stream->_fileno = adopt_descriptor(*rank, stream->_fileno);
  add_stream(*rank, stream);
  return stream;
}

/// Pins the rank by a converting stream: the C library loads its module for the character set in this process
/// alone.
FILE* converted(FILE* stream, const char* mode) {
  if (Rank* rank = program_rank(); stream && rank && strstr(mode, ",ccs="))
    attach_handle(*rank, stream, "a stream of it converts character sets (fopen with ccs=)");
  return stream;
}

/// Enters a stream on memory, on functions, or on a descriptor that is known already.
FILE* wrapped(FILE* stream) {
  if (Rank* rank = program_rank(); stream && rank) add_stream(*rank, stream);
  return stream;
}

/// A mode without `m`, which asks for reading through mmap(): a mapping would not move.
struct MovableMode {
  explicit MovableMode(const char* mode) {
    std::size_t used = 0;
    const char* end = strchr(mode, ',');  // the name of a character set follows
    for (const char* c = mode; *c && used + 1 < sizeof text; ++c)
      if (*c != 'm' || !program_rank() || (end && c > end)) text[used++] = *c;
    text[used] = '\0';
  }
  char text[64];
};

/// Returns the path for fopen(); as with open() (descriptors.cpp), reading alone uses the program's file.
const char* followed(const char* path, const char* mode) {
  return *mode == 'r' && !strchr(mode, '+') ? path_in_system(path) : link_in_system(path);
}

FILE* refuse_redirection() {
  warn_once(
      "rank %d tried to redirect a standard stream: ranks share those of their PE; open a file under "
      "another FILE* or unit instead",
      fiber::thread_block.rank->id);
  errno = ENOTSUP;
  return nullptr;
}

template <class Real>
FILE* reopen(Real* real, const char* path, const char* mode, FILE* stream) {
  Rank* rank = program_rank();
  if (!rank) return real(path, mode, stream);
  if (is_standard_stream(stream)) return in_forked_child() ? real(path, mode, stream) : refuse_redirection();
  spare_process_descriptor(*rank, stream);
  forget_descriptor(*rank, stream->_fileno);
  forget_stream(*rank, stream);
  detach_handle(*rank, stream);
  return converted(opened(real(path, MovableMode(mode).text, stream)), mode);
}

/// Drops a stream that the program is about to close. A descriptor of the process below it stays open.
void closing(FILE* stream) {
  Rank* rank = program_rank();
  if (!rank) return note_closed_descriptor(stream->_fileno);
  forget_stream(*rank, stream);
  detach_handle(*rank, stream);
  forget_descriptor(*rank, stream->_fileno);
  spare_process_descriptor(*rank, stream);
  if (stream == rank->process->standard_input) rank->process->standard_input = nullptr;
}

}  // namespace
}  // namespace skein::libc

using skein::libc::next_function;
using skein::libc::opened;
using skein::libc::program_rank;
using skein::libc::rank_with_table;
using skein::libc::wrapped;

extern "C" {

FILE* fopen(const char* path, const char* mode) {
  static const auto real = next_function<FILE*(const char*, const char*)>("fopen");
  FILE* const stream = opened(real(skein::libc::followed(path, mode), skein::libc::MovableMode(mode).text));
  return skein::libc::converted(stream, mode);
}
FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

FILE* freopen(const char* path, const char* mode, FILE* stream) {
  static const auto real = next_function<FILE*(const char*, const char*, FILE*)>("freopen");
  return skein::libc::reopen(real, skein::libc::followed(path, mode), mode, stream);
}
FILE* freopen64(const char* path, const char* mode, FILE* stream) { return freopen(path, mode, stream); }

FILE* fdopen(int descriptor, const char* mode) noexcept {
  static const auto real = next_function<FILE*(int, const char*)>("fdopen");
  if (const skein::Rank* rank = rank_with_table()) {
    if (descriptor == STDIN_FILENO && !skein::libc::has_standard_input(*rank))
      return fopen("/dev/null", mode);
    if (skein::libc::refuse_foreign(*rank, descriptor)) return nullptr;
  }
  return wrapped(real(descriptor, mode));
}

FILE* tmpfile() {
  static const auto real = next_function<FILE*()>("tmpfile");
  return opened(real());
}
FILE* tmpfile64() { return tmpfile(); }

FILE* fmemopen(void* buffer, size_t bytes, const char* mode) noexcept {
  static const auto real = next_function<FILE*(void*, size_t, const char*)>("fmemopen");
  return wrapped(real(buffer, bytes, mode));
}
FILE* open_memstream(char** buffer, size_t* bytes) noexcept {
  static const auto real = next_function<FILE*(char**, size_t*)>("open_memstream");
  return wrapped(real(buffer, bytes));
}
FILE* open_wmemstream(wchar_t** buffer, size_t* characters) noexcept {
  static const auto real = next_function<FILE*(wchar_t**, size_t*)>("open_wmemstream");
  return wrapped(real(buffer, characters));
}
FILE* fopencookie(void* cookie, const char* mode, cookie_io_functions_t functions) noexcept {
  static const auto real = next_function<FILE*(void*, const char*, cookie_io_functions_t)>("fopencookie");
  return wrapped(real(cookie, mode, functions));
}

FILE* popen(const char* command, const char* mode) {
  static const auto real = next_function<FILE*(const char*, const char*)>("popen");
  skein::Rank* const rank = program_rank();
  const skein::libc::EnvironmentScope environment(rank);
  FILE* stream = real(command, mode);
  if (stream && rank)
    skein::libc::adopt_pinning(*rank, stream->_fileno, "it holds a pipe to a child process");
  return wrapped(stream);
}
int pclose(FILE* stream) {
  static const auto real = next_function<int(FILE*)>("pclose");
  skein::libc::closing(stream);
  return real(stream);
}

int fclose(FILE* stream) {
  static const auto real = next_function<int(FILE*)>("fclose");
  if (rank_with_table() && skein::libc::is_standard_stream(stream)) return fflush(stream);
  skein::libc::closing(stream);
  return real(stream);
}

}  // extern "C"

namespace skein::libc {

const Overrides stream_overrides({
    {"fopen", address_of(fopen)},
    {"fopen64", address_of(fopen64)},
    {"freopen", address_of(freopen)},
    {"freopen64", address_of(freopen64)},
    {"fdopen", address_of(fdopen)},
    {"tmpfile", address_of(tmpfile)},
    {"tmpfile64", address_of(tmpfile64)},
    {"fmemopen", address_of(fmemopen)},
    {"open_memstream", address_of(open_memstream)},
    {"open_wmemstream", address_of(open_wmemstream)},
    {"fopencookie", address_of(fopencookie)},
    {"popen", address_of(popen)},
    {"pclose", address_of(pclose)},
    {"fclose", address_of(fclose)},
});

}  // namespace skein::libc
