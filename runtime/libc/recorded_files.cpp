// SPDX-License-Identifier: Apache-2.0
// Reading and writing by a program that is recorded (--trace): in front of the other overrides, and only
// then. Streams pass small pieces on from time to time, which count as part of a burst; so only large pieces
// are events of their own.
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

constexpr std::size_t kLeastOfStream = 4096;

/// Returns the function behind this one: another override, or the C library's.
template <class Function>
Function* behind(const char* name, Function* library) {
  for (const auto& table : override_tables())
    for (const Override& one : table)
      if (std::string_view(one.name) == name) return reinterpret_cast<Function*>(one.address);
  return library;
}

/// Records a transfer. `bytes(result)` returns the bytes transferred.
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

/// Makes an override of a function that reads or writes a descriptor.
template <FileCall what, auto function, class Result, class... Arguments>
Override recorded(const char* name, Result (*)(Arguments...)) {
  static const auto next = behind(name, function);
  return {name, address_of(+[](Arguments... arguments) -> Result {
            return record_transfer(
                what, [=] { return next(arguments...); },
                [](Result n) { return what == FileCall::other ? 0 : positive(n); });
          })};
}

std::size_t recorded_fread(void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  static const auto next = behind("fread", ::fread);
  if (size * count < kLeastOfStream) return next(buffer, size, count, stream);
  return record_transfer(
      FileCall::read, [=] { return next(buffer, size, count, stream); },
      [=](std::size_t n) { return n * size; });
}
std::size_t recorded_fwrite(const void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  static const auto next = behind("fwrite", ::fwrite);
  if (size * count < kLeastOfStream) return next(buffer, size, count, stream);
  return record_transfer(
      FileCall::write, [=] { return next(buffer, size, count, stream); },
      [=](std::size_t n) { return n * size; });
}

}  // namespace

#define SKEIN_RECORDED(what, function) recorded<FileCall::what, &::function>(#function, &::function)

std::span<const Override> recorded_file_overrides() {
  static const Override table[] = {
      SKEIN_RECORDED(read, read),
      SKEIN_RECORDED(read, readv),
      SKEIN_RECORDED(read, pread),
      SKEIN_RECORDED(read, pread64),
      SKEIN_RECORDED(write, write),
      SKEIN_RECORDED(write, writev),
      SKEIN_RECORDED(write, pwrite),
      SKEIN_RECORDED(write, pwrite64),
      SKEIN_RECORDED(other, fsync),
      SKEIN_RECORDED(other, fdatasync),
      {"fread", address_of(recorded_fread)},
      {"fwrite", address_of(recorded_fwrite)},
  };
  return table;
}

}  // namespace skein::libc
