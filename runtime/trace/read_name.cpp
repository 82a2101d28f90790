// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/read_name.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace skein::trace {
namespace {

/// Copies up to `bytes` from an address; returns how many could be read. The kernel looks: what a pipe is
/// given is read without a fault.
std::size_t copy_readable(const char* from, char* to, std::size_t bytes) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return 0;
  const ssize_t written = write(ends[1], from, bytes);
  const ssize_t copied = written > 0 ? read(ends[0], to, static_cast<std::size_t>(written)) : 0;
  close(ends[0]);
  close(ends[1]);
  return copied > 0 ? static_cast<std::size_t>(copied) : 0;
}

}  // namespace

bool read_name(const char* address, char (&out)[longest_name + 1]) {
  constexpr std::uintptr_t page = 4096;
  std::size_t length = 0;
  while (length < longest_name) {
    const char* const from = address + length;
    // Up to the end of a page: what lies behind it may not be readable.
    const std::size_t piece =
        std::min<std::size_t>(longest_name - length, page - reinterpret_cast<std::uintptr_t>(from) % page);
    if (copy_readable(from, out + length, piece) != piece) return false;
    const std::size_t end = strnlen(out + length, piece);
    length += end;
    if (end < piece) break;
  }
  out[length] = '\0';
  return length > 0 && std::all_of(out, out + length,
                                   [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != 127; });
}

}  // namespace skein::trace
