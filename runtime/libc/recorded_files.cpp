// SPDX-License-Identifier: Apache-2.0
// Reading and writing by a program that is recorded (--trace): in front of the other overrides, and only
// then. Streams pass their small pieces on now and then, as part of a burst; so only large pieces are events
// of their own.
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/rank/recorded.hpp"

namespace skein::libc {
namespace {

using trace::FileCall;

constexpr std::size_t least_of_stream = 4096;

/// What takes the call behind this one: another override, or the C library.
template <class Function>
Function* behind(const char* name, Function* library) {
  for (const auto& table : override_tables())
    for (const Override& one : table)
      if (std::string_view(one.name) == name) return reinterpret_cast<Function*>(one.address);
  return library;
}

/// `bytes(result)`: that went over.
template <class Call, class Bytes>
auto record_transfer(FileCall what, const Call& call, const Bytes& bytes) {
  Rank* const rank = trace::recording ? rank_with_table() : nullptr;
  if (!rank) return call();
  return record_call(*rank, call, [&](trace::Event& event, auto result) {
    event.kind = trace::EventKind::file;
    event.what = static_cast<std::uint8_t>(what);
    event.bytes = bytes(result);
  });
}

std::uint64_t positive(ssize_t n) { return n > 0 ? static_cast<std::uint64_t>(n) : 0; }

ssize_t recorded_read(int file, void* buffer, std::size_t bytes) {
  static const auto next = behind("read", ::read);
  return record_transfer(
      FileCall::read, [=] { return next(file, buffer, bytes); }, positive);
}
ssize_t recorded_readv(int file, const iovec* parts, int count) {
  static const auto next = behind("readv", ::readv);
  return record_transfer(
      FileCall::read, [=] { return next(file, parts, count); }, positive);
}
ssize_t recorded_pread(int file, void* buffer, std::size_t bytes, off_t at) {
  return record_transfer(
      FileCall::read, [=] { return ::pread(file, buffer, bytes, at); }, positive);
}
ssize_t recorded_write(int file, const void* buffer, std::size_t bytes) {
  return record_transfer(
      FileCall::write, [=] { return ::write(file, buffer, bytes); }, positive);
}
ssize_t recorded_writev(int file, const iovec* parts, int count) {
  return record_transfer(
      FileCall::write, [=] { return ::writev(file, parts, count); }, positive);
}
ssize_t recorded_pwrite(int file, const void* buffer, std::size_t bytes, off_t at) {
  return record_transfer(
      FileCall::write, [=] { return ::pwrite(file, buffer, bytes, at); }, positive);
}
int recorded_fsync(int file) {
  return record_transfer(
      FileCall::other, [=] { return ::fsync(file); }, [](int) { return 0; });
}
int recorded_fdatasync(int file) {
  return record_transfer(
      FileCall::other, [=] { return ::fdatasync(file); }, [](int) { return 0; });
}
std::size_t recorded_fread(void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  static const auto next = behind("fread", ::fread);
  if (size * count < least_of_stream) return next(buffer, size, count, stream);
  return record_transfer(
      FileCall::read, [=] { return next(buffer, size, count, stream); },
      [=](std::size_t n) { return n * size; });
}
std::size_t recorded_fwrite(const void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  static const auto next = behind("fwrite", ::fwrite);
  if (size * count < least_of_stream) return next(buffer, size, count, stream);
  return record_transfer(
      FileCall::write, [=] { return next(buffer, size, count, stream); },
      [=](std::size_t n) { return n * size; });
}

}  // namespace

std::span<const Override> recorded_file_overrides() {
  static const Override table[] = {
      {"read", address_of(recorded_read)},     {"readv", address_of(recorded_readv)},
      {"pread", address_of(recorded_pread)},   {"pread64", address_of(recorded_pread)},
      {"write", address_of(recorded_write)},   {"writev", address_of(recorded_writev)},
      {"pwrite", address_of(recorded_pwrite)}, {"pwrite64", address_of(recorded_pwrite)},
      {"fsync", address_of(recorded_fsync)},   {"fdatasync", address_of(recorded_fdatasync)},
      {"fread", address_of(recorded_fread)},   {"fwrite", address_of(recorded_fwrite)},
  };
  return table;
}

}  // namespace skein::libc
