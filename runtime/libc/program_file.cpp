// SPDX-License-Identifier: Apache-2.0
// The file of a rank's program, as the program sees it. To the system a PE is a process of the launcher, so
// /proc/self/exe is the launcher's file. Calls that follow a path get the program's instead: here, if they
// hold nothing for the rank, and in descriptors.cpp, streams.cpp and children.cpp. Calls about the link
// itself (lstat(), O_NOFOLLOW) need nothing: it is a link in any case. Other paths in the folder of the
// caller's number are its PE's. Exported under the C library's names, because the shared C++ library calls on
// behalf of ranks (std::filesystem).
#include "runtime/libc/program_file.hpp"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "runtime/base/check.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/process_numbers.hpp"

namespace skein::libc {
namespace {

struct ProgramFile {
  /// Static data of the launcher has one address on all PEs: ranks take pointers to it along.
  char executed_path[PATH_MAX];
  char pe_path[PATH_MAX];
  char real_path[PATH_MAX];  // empty if there is no file, so that no rank runs
};
ProgramFile program_file;

constexpr std::string_view kProcessFolder = "/proc/", kExeLink = "/exe";

bool is_caller(std::string_view name) {
  pid_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  return error == std::errc() && stop == end && number == number_of(*program_rank());
}

const char* meant(const char* path, int flags) {
  return flags & AT_SYMLINK_NOFOLLOW ? link_in_system(path) : path_in_system(path);
}

/// Copies the link's target like readlink(): cut off, without a null.
ssize_t tell_link(const char* target, char* buffer, std::size_t bytes) {
  if (bytes == 0) {
    errno = EINVAL;
    return -1;
  }
  const std::size_t length = std::min(strlen(target), bytes);
  memcpy(buffer, target, length);
  return static_cast<ssize_t>(length);
}

ssize_t rank_readlink_checked(const char* path, char* buffer, std::size_t bytes, std::size_t room) {
  SKEIN_CHECK(bytes <= room, "readlink() of %zu bytes into a buffer of %zu", bytes, room);
  return readlink(path, buffer, bytes);
}
ssize_t rank_readlinkat_checked(int directory, const char* path, char* buffer, std::size_t bytes,
                                std::size_t room) {
  SKEIN_CHECK(bytes <= room, "readlinkat() of %zu bytes into a buffer of %zu", bytes, room);
  return readlinkat(directory, path, buffer, bytes);
}
char* rank_realpath_checked(const char* path, char* resolved, std::size_t room) {
  SKEIN_CHECK(!resolved || room >= PATH_MAX, "realpath() into a buffer of %zu bytes, not PATH_MAX", room);
  return realpath(path, resolved);
}

unsigned long rank_getauxval(unsigned long type) {
  return type == AT_EXECFN ? reinterpret_cast<unsigned long>(program_file.executed_path) : getauxval(type);
}

}  // namespace

void remember_program_file(const char* executed) {
  program_file.executed_path[std::string_view(executed).copy(program_file.executed_path,
                                                             sizeof program_file.executed_path - 1)] = '\0';
  program_invocation_name = program_file.executed_path;
  program_invocation_short_name = basename(program_file.executed_path);
  if (!realpath(executed, program_file.real_path)) program_file.real_path[0] = '\0';
}

const char* path_in_system(const char* path) {
  if (!path || *path != '/' || !program_rank() || !*program_file.real_path) return link_in_system(path);
  std::string_view process = path;
  if (!process.starts_with(kProcessFolder) || !process.ends_with(kExeLink)) return link_in_system(path);
  process.remove_prefix(kProcessFolder.size());
  process.remove_suffix(std::min(process.size(), kExeLink.size()));
  const bool own = process == "self" || process == "thread-self" || is_caller(process);
  return own ? program_file.real_path : link_in_system(path);
}

const char* link_in_system(const char* path) {
  if (!path || *path != '/' || !program_rank()) return path;
  std::string_view process = path;
  if (!process.starts_with(kProcessFolder)) return path;
  process.remove_prefix(kProcessFolder.size());
  process = process.substr(0, process.find('/'));
  if (!is_caller(process)) return path;
  const char* const rest = process.data() + process.size();
  snprintf(program_file.pe_path, sizeof program_file.pe_path, "/proc/%d%s", launcher_process(), rest);
  return program_file.pe_path;
}

}  // namespace skein::libc

using skein::libc::link_in_system;
using skein::libc::meant;
using skein::libc::next_function;
using skein::libc::path_in_system;
using skein::libc::program_file;
using skein::libc::tell_link;

extern "C" {

ssize_t readlink(const char* path, char* buffer, size_t bytes) noexcept {
  static const auto real = next_function<ssize_t(const char*, char*, size_t)>("readlink");
  const char* const target = path_in_system(path);
  return target == program_file.real_path ? tell_link(target, buffer, bytes) : real(target, buffer, bytes);
}
ssize_t readlinkat(int directory, const char* path, char* buffer, size_t bytes) noexcept {
  static const auto real = next_function<ssize_t(int, const char*, char*, size_t)>("readlinkat");
  const char* const target = path_in_system(path);
  return target == program_file.real_path ? tell_link(target, buffer, bytes)
                                          : real(directory, target, buffer, bytes);
}

char* realpath(const char* path, char* resolved) noexcept {
  static const auto real = next_function<char*(const char*, char*)>("realpath");
  return real(path_in_system(path), resolved);
}
char* canonicalize_file_name(const char* path) noexcept { return realpath(path, nullptr); }

int stat(const char* path, struct stat* status) noexcept {
  static const auto real = next_function<int(const char*, struct stat*)>("stat");
  return real(path_in_system(path), status);
}
int stat64(const char* path, struct stat64* status) noexcept {
  static const auto real = next_function<int(const char*, struct stat64*)>("stat64");
  return real(path_in_system(path), status);
}
int lstat(const char* path, struct stat* status) noexcept {
  static const auto real = next_function<int(const char*, struct stat*)>("lstat");
  return real(link_in_system(path), status);
}
int lstat64(const char* path, struct stat64* status) noexcept {
  static const auto real = next_function<int(const char*, struct stat64*)>("lstat64");
  return real(link_in_system(path), status);
}
int fstatat(int directory, const char* path, struct stat* status, int flags) noexcept {
  static const auto real = next_function<int(int, const char*, struct stat*, int)>("fstatat");
  return real(directory, meant(path, flags), status, flags);
}
int fstatat64(int directory, const char* path, struct stat64* status, int flags) noexcept {
  static const auto real = next_function<int(int, const char*, struct stat64*, int)>("fstatat64");
  return real(directory, meant(path, flags), status, flags);
}
int statx(int directory, const char* path, int flags, unsigned wanted, struct statx* status) noexcept {
  static const auto real = next_function<int(int, const char*, int, unsigned, struct statx*)>("statx");
  return real(directory, meant(path, flags), flags, wanted, status);
}

int access(const char* path, int mode) noexcept {
  static const auto real = next_function<int(const char*, int)>("access");
  return real(path_in_system(path), mode);
}
int euidaccess(const char* path, int mode) noexcept {
  static const auto real = next_function<int(const char*, int)>("euidaccess");
  return real(path_in_system(path), mode);
}
int eaccess(const char* path, int mode) noexcept { return euidaccess(path, mode); }
int faccessat(int directory, const char* path, int mode, int flags) noexcept {
  static const auto real = next_function<int(int, const char*, int, int)>("faccessat");
  return real(directory, meant(path, flags), mode, flags);
}

}  // extern "C"

namespace skein::libc {

const Overrides program_file_overrides({
    {"readlink", address_of(readlink)},
    {"__readlink_chk", address_of(rank_readlink_checked)},
    {"readlinkat", address_of(readlinkat)},
    {"__readlinkat_chk", address_of(rank_readlinkat_checked)},
    {"realpath", address_of(realpath)},
    {"__realpath_chk", address_of(rank_realpath_checked)},
    {"canonicalize_file_name", address_of(canonicalize_file_name)},
    {"stat", address_of(::stat)},
    {"stat64", address_of(::stat64)},
    {"lstat", address_of(lstat)},
    {"lstat64", address_of(lstat64)},
    {"fstatat", address_of(fstatat)},
    {"fstatat64", address_of(fstatat64)},
    {"statx", address_of(::statx)},
    {"access", address_of(access)},
    {"euidaccess", address_of(euidaccess)},
    {"eaccess", address_of(eaccess)},
    {"faccessat", address_of(faccessat)},
    {"getauxval", address_of(rank_getauxval)},
});

}  // namespace skein::libc
