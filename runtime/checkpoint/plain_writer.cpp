// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "runtime/arena/arena.hpp"
#include "runtime/checkpoint/image_file.hpp"

namespace skein::checkpoint {
namespace {

/// Copies a page, past the caches if the processor can: it need not read the bytes that it overwrites, and
/// the copy is not read soon. Both pages are aligned to 64 bytes.
void copy_page(std::byte* to, const std::byte* from) {
#ifdef __SSE2__
  constexpr std::size_t kLine = 64, kWord = sizeof(__m128i);
  for (std::size_t line = 0; line < arena::kPageBytes; line += kLine) {
    __m128i words[kLine / kWord];
    memcpy(words, from + line, kLine);
    for (std::size_t i = 0; i < kLine / kWord; ++i)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + line) + i, words[i]);
  }
#else
  memcpy(to, from, arena::kPageBytes);
#endif
}

/// Makes the copied pages visible to other processes before any later store.
void end_copies() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace

void PlainWriter::put_bytes(const void* data, std::size_t bytes) {
  if (bytes > 0) memcpy(file_.room(written_, bytes), data, bytes);
  written_ += bytes;
}

void PlainWriter::put_pages(const Run& run, std::vector<Run>& put) {
  constexpr std::size_t kAtOnce = 64 * arena::kPageBytes;
  const std::uint64_t end = run.address + run.bytes;
  for (std::uint64_t at = run.address; at < end;) {
    const std::uint64_t next = std::min(end, at + kAtOnce);
    std::byte* to = file_.room(written_, next - at);
    for (; at < next; at += arena::kPageBytes) {
      const auto* const page = reinterpret_cast<const std::byte*>(at);
      if (is_zero_page(page)) continue;
      copy_page(to, page);
      to += arena::kPageBytes;
      written_ += arena::kPageBytes;
      add_run(put, {at, arena::kPageBytes});
    }
  }
}

std::uint64_t PlainWriter::put(std::span<const Run> runs, const std::byte* contents) {
  const std::size_t begin = written_;
  std::vector<Run> put(contents ? runs.begin() : runs.end(), runs.end());
  for (const Run& run : runs) {
    if (contents)
      put_bytes(contents, run.bytes), contents += run.bytes;
    else
      put_pages(run, put);
  }
  end_copies();
  const std::uint64_t count = put.size();
  put_bytes(put.data(), put.size() * sizeof(Run));
  put_bytes(&count, sizeof count);
  const std::size_t end = written_;
  // The pages of the next image are aligned.
  written_ = (written_ + arena::kPageBytes - 1) / arena::kPageBytes * arena::kPageBytes;
  return end - begin;
}

}  // namespace skein::checkpoint
