// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/copy_out.hpp"

namespace skein::net {
namespace {

template <std::size_t bytes>
using Vector [[gnu::vector_size(bytes)]] = long long;

constexpr std::size_t kLineBytes = 64;

/// Copies the whole lines at the end of `bytes` bytes. Returns how many bytes are left at the begin.
template <class Piece>
[[gnu::always_inline]] inline std::size_t copy_backwards(std::byte* to, const std::byte* from,
                                                         std::size_t bytes) {
  constexpr std::size_t pieces = kLineBytes / sizeof(Piece);
  for (; bytes >= kLineBytes; bytes -= kLineBytes) {
    const std::size_t begin = bytes - kLineBytes;
    Piece line[pieces];
    for (std::size_t i = 0; i < pieces; ++i)
      memcpy(&line[i], from + begin + i * sizeof(Piece), sizeof(Piece));
    for (std::size_t i = 0; i < pieces; ++i) memcpy(to + begin + i * sizeof(Piece), &line[i], sizeof(Piece));
    asm volatile("" : : : "memory");  // else the compiler may make one memcpy() of the loop
  }
  return bytes;
}

[[gnu::target("avx2")]] std::size_t copy_wide(std::byte* to, const std::byte* from, std::size_t bytes) {
  return copy_backwards<Vector<32>>(to, from, bytes);
}

bool has_wide() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0;
}

}  // namespace

const bool copies_wide = has_wide();

void copy_lines_out(std::byte* to, const std::byte* from, std::size_t bytes, bool wide) {
  // The part of a line at the end goes first: from there on whole lines are read.
  const std::size_t rest = bytes % kLineBytes;
  memcpy(to + bytes - rest, from + bytes - rest, rest);
  bytes -= rest;
  if (wide)
    copy_wide(to, from, bytes);
  else
    copy_backwards<Vector<16>>(to, from, bytes);
}

}  // namespace skein::net
