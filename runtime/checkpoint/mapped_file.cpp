// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"

namespace skein::checkpoint {
namespace {

/// New pages are made in units of this size: if a signal interrupts a call, its pages are made anew.
constexpr std::size_t kGrowthBytes = std::size_t{1} << 20;
constexpr int kPopulateForWriting = 23;  // MADV_POPULATE_WRITE, which headers before Linux 5.14 lack

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  open_as(path, O_RDONLY);
  struct stat status;
  if (fstat(file_, &status) != 0) failed("read", errno);
  there_ = static_cast<std::size_t>(status.st_size);
  map(there_, PROT_READ);
}

void MappedFile::begin(const std::string& path) {
  if (!is_at(path)) {
    close();
    open_as(path, O_RDWR | O_CREAT);
  }
  path_ = path;
}

std::byte* MappedFile::room(std::size_t offset, std::size_t bytes) {
  if (offset + bytes > mapped_) map(std::max(offset + bytes, 2 * mapped_), PROT_READ | PROT_WRITE);
  while (there_ < offset + bytes) {
    const std::size_t more = std::min(kGrowthBytes, mapped_ - there_);
    const int error = posix_fallocate(file_, static_cast<off_t>(there_), static_cast<off_t>(more));
    if (error == EINTR) continue;
    if (error != 0) failed("written", error);
    (void)madvise(memory_ + there_, more, kPopulateForWriting);  // faster than page by page
    there_ += more;
  }
  return memory_ + offset;
}

void MappedFile::end(std::size_t bytes) {
  if (ftruncate(file_, static_cast<off_t>(bytes)) != 0) failed("written", errno);
  // Rounded down, so that room() continues at the start of a page.
  there_ = std::min(there_, bytes / arena::kPageBytes * arena::kPageBytes);
}

void MappedFile::close() {
  if (memory_) munmap(memory_, mapped_);
  if (file_ >= 0) ::close(file_);
  memory_ = nullptr;
  mapped_ = there_ = 0;
  file_ = -1;
}

bool MappedFile::is_at(const std::string& path) const {
  struct stat own, other;
  return file_ >= 0 && fstat(file_, &own) == 0 && stat(path.c_str(), &other) == 0 &&
         own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

void MappedFile::open_as(const std::string& path, int flags) {
  constexpr mode_t kOwn = 0600;
  path_ = path;
  file_ = open(path.c_str(), flags | O_CLOEXEC, kOwn);
  if (file_ < 0) failed("opened", errno);
}

void MappedFile::map(std::size_t bytes, int protection) {
  const std::size_t whole = (bytes + kGrowthBytes - 1) / kGrowthBytes * kGrowthBytes;
  if (whole == 0) return;
  void* const memory = memory_ ? mremap(memory_, mapped_, whole, MREMAP_MAYMOVE)
                               : mmap(nullptr, whole, protection, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) failed("mapped", errno);
  memory_ = static_cast<std::byte*>(memory);
  mapped_ = whole;
  for (const int advice : {MADV_DONTDUMP, MADV_DONTFORK}) (void)madvise(memory_, mapped_, advice);
}

void MappedFile::failed(const char* what, int error) {
  const std::string path = path_;
  close();
  throw Error(format("%s: cannot be %s: %s", path.c_str(), what, strerror(error)));
}

}  // namespace skein::checkpoint
