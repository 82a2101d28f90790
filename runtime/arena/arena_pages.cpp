// SPDX-License-Identifier: Apache-2.0
// Finds the pages of a slot that hold data, asks for pages, and gives them back.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/arena/advice.hpp"
#include "runtime/arena/arena.hpp"
#include "runtime/base/check.hpp"

namespace skein::arena {
namespace {

/// Linux, Documentation/admin-guide/mm/pagemap.rst
constexpr std::uint64_t kEntryPresent = std::uint64_t{1} << 63;
constexpr std::uint64_t kEntrySwapped = std::uint64_t{1} << 62;
constexpr std::size_t kBatchPages = 512;

constexpr int kMadvPopulateWrite = 23;  // not in the C library's headers before 2.35

/// Appends pages to the ranges; adjacent ones join.
class RangeBuilder {
 public:
  explicit RangeBuilder(std::vector<Range>& out) : out_(out), first_(out.size()) {}
  void add(std::byte* page, std::size_t bytes) {
    if (out_.size() > first_ && out_.back().begin + out_.back().bytes == page)
      out_.back().bytes += bytes;
    else
      out_.push_back({page, bytes});
  }

 private:
  std::vector<Range>& out_;
  std::size_t first_;
};

/// The page map of this process. The file is opened anew for each call, so that a process that forked reads
/// its own map.
class PageMap {
 public:
  PageMap() : fd_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  ~PageMap() {
    if (fd_ >= 0) close(fd_);
  }
  PageMap(const PageMap&) = delete;
  PageMap& operator=(const PageMap&) = delete;

  /// Reads the entries of `pages` pages. Returns false if the system does not tell.
  bool read(const std::byte* begin, std::uint64_t* entries, std::size_t pages) const {
    if (fd_ < 0) return false;
    const auto page = reinterpret_cast<std::uintptr_t>(begin) / kPageBytes;
    const std::size_t bytes = pages * sizeof *entries;
    ssize_t got;
    do got = pread(fd_, entries, bytes, static_cast<off_t>(page * sizeof *entries));
    while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(bytes);
  }

 private:
  int fd_;
};

void touched_private_pages(std::byte* begin, std::byte* end, RangeBuilder& ranges) {
  const PageMap map;
  std::uint64_t entries[kBatchPages];
  while (begin < end) {
    const std::size_t pages =
        std::min((static_cast<std::size_t>(end - begin) + kPageBytes - 1) / kPageBytes, kBatchPages);
    const bool known = map.read(begin, entries, pages);
    for (std::size_t i = 0; i < pages; ++i) {
      std::byte* page = begin + i * kPageBytes;
      // A guard looks like a swapped page, and must not be read. Where the system does not tell, a page might
      // hold data.
      const bool touched = !known || (entries[i] & (kEntryPresent | kEntrySwapped));
      if (touched && !in_guard(page)) ranges.add(page, kPageBytes);
    }
    begin += pages * kPageBytes;
  }
}

/// Returns where the next data (SEEK_DATA) or hole (SEEK_HOLE) of the memory file begins, or `end` if there
/// is none before.
off_t seek_in_memory_file(off_t from, off_t end, int what) {
  const off_t found = lseek(reserved.memory_file, from, what);
  if (found < 0 && errno == ENXIO) return end;  // no data up to the file's end
  SKEIN_CHECK(found >= 0, "lseek(memory file, %lld, %d): %s", static_cast<long long>(from), what,
              std::strerror(errno));
  return std::min(found, end);
}

void touched_file_pages(std::byte* begin, std::byte* end, RangeBuilder& ranges) {
  std::byte* const base = slot_address(0);
  const off_t last = end - base;
  for (off_t at = begin - base; at < last;) {
    const off_t data = seek_in_memory_file(at, last, SEEK_DATA);
    if (data == last) return;
    at = seek_in_memory_file(data, last, SEEK_HOLE);
    for (std::byte* page = base + data; page < base + at; page += kPageBytes)
      if (!in_guard(page)) ranges.add(page, kPageBytes);
  }
}

}  // namespace

void touched_ranges(std::byte* begin, std::byte* end, std::vector<Range>& out) {
  RangeBuilder ranges(out);
  if (reserved.backing == Backing::node_shared && in_arena(begin))
    touched_file_pages(begin, end, ranges);
  else
    touched_private_pages(begin, end, ranges);
}

std::size_t resident_bytes(Range range) {
  std::size_t pages = 0;
  unsigned char resident[kBatchPages];
  for (std::size_t at = 0; at < range.bytes; at += kBatchPages * kPageBytes) {
    const std::size_t bytes = std::min(range.bytes - at, kBatchPages * kPageBytes);
    if (mincore(range.begin + at, bytes, resident) != 0) return range.bytes;
    pages += static_cast<std::size_t>(std::count_if(resident, resident + bytes / kPageBytes,
                                                    [](unsigned char page) { return (page & 1) != 0; }));
  }
  return pages * kPageBytes;
}

void include_in_core_dumps(Range range) {
  const auto begin = reinterpret_cast<std::uintptr_t>(range.begin) & ~(kPageBytes - 1);
  const auto end =
      (reinterpret_cast<std::uintptr_t>(range.begin) + range.bytes + kPageBytes - 1) & ~(kPageBytes - 1);
  (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DODUMP);
}

void prefer_huge_pages(Range range) {
  constexpr std::uintptr_t mask = kHugePageBytes - 1;
  const auto begin = (reinterpret_cast<std::uintptr_t>(range.begin) + mask) & ~mask;
  const auto end = (reinterpret_cast<std::uintptr_t>(range.begin) + range.bytes) & ~mask;
  if (begin >= end) return;
  const int saved_errno = errno;
  (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  errno = saved_errno;
}

void provide_pages(std::span<const Range> ranges) { (void)advise_together(ranges, kMadvPopulateWrite); }

namespace {

/// Advises through the C library's function, which registration caches watch (of libfabric, UCX and Open MPI,
/// for both advices).
void advise(Range range, int advice) {
  const int saved_errno = errno;  // free() must not change it
  int result;
  do result = madvise(range.begin, range.bytes, advice);
  while (result != 0 && (errno == EAGAIN || errno == EINTR));
  SKEIN_CHECK(result == 0, "madvise(%p, %zu, %d): %s", static_cast<void*>(range.begin), range.bytes, advice,
              std::strerror(errno));
  errno = saved_errno;
}

bool is_shared(Range range) { return reserved.backing == Backing::node_shared && in_arena(range.begin); }

}  // namespace

/// Shared pages stay in the file until a hole is punched; MADV_DONTNEED only unmaps them here.
void discard(Range range) { advise(range, is_shared(range) ? MADV_REMOVE : MADV_DONTNEED); }
void forget(Range range) {
  if (is_shared(range)) advise(range, MADV_DONTNEED);
}

}  // namespace skein::arena
