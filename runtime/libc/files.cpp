// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/files.hpp"

#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "runtime/base/log.hpp"
#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_locks.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/shared_state.hpp"
#include "runtime/libc/standard_input.hpp"
#include "runtime/rank/end_job.hpp"

/// The C library's list of streams, which fflush(nullptr) and exit walk. Exported since glibc 2.2.5 for the
/// old C++ library; absent elsewhere.
extern "C" {
void _IO_un_link(FILE* stream) __attribute__((weak));
void _IO_link_in(FILE* stream) __attribute__((weak));
}

namespace skein::libc {
namespace {

std::string path_of(int number) {
  char link[32], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", number);
  const ssize_t length = readlink(link, path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

bool has_inode_everywhere(const struct stat& status) {
  return S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
}

LeftFile describe(FileTable& table, int number, FileRoute route) {
  LeftFile left;
  left.descriptor_flags = fcntl(number, F_GETFD);
  if (route == FileRoute::hand_over) return left;
  left.status_flags = fcntl(number, F_GETFL);
  left.offset = lseek(number, 0, SEEK_CUR);
  struct stat status {};
  if (fstat(number, &status) == 0 && has_inode_everywhere(status)) left.inode = status.st_ino;
  const bool is_written = S_ISREG(status.st_mode) && (left.status_flags & O_ACCMODE) != O_RDONLY;
  if (route == FileRoute::save && left.inode && is_written) left.bytes = status.st_size;
  left.path_at = static_cast<std::uint32_t>(table.paths.size());
  const std::string path = path_of(number);
  table.paths.insert(table.paths.end(), path.c_str(), path.c_str() + path.size() + 1);
  return left;
}

/// Cuts off what was written behind the end that the file had when the rank was saved.
void cut(const Rank& rank, const char* path, int number, std::int64_t bytes) {
  struct stat status;
  if (fstat(number, &status) != 0 || status.st_size < bytes)
    end_job_plainly(rank, 1,
                    "its file %s had %lld bytes at the checkpoint and has fewer now: put it back as it was, "
                    "or a longer one that begins alike",
                    path, static_cast<long long>(bytes));
  if (status.st_size > bytes && ftruncate(number, bytes) != 0)
    end_job_plainly(rank, 1, "cannot cut its file %s to the %lld bytes of the checkpoint: %s", path,
                    static_cast<long long>(bytes), strerrordesc_np(errno));
}

int open_again(const Rank& rank, const FileTable& table, const LeftFile& left) {
  const char* path = table.paths.data() + left.path_at;
  const int number = open(path, (left.status_flags & ~(O_CREAT | O_EXCL | O_TRUNC)) | O_CLOEXEC);
  if (number < 0)
    end_job_plainly(rank, 1,
                    table.is_saved
                        ? "cannot open its file %s, which it had open at the checkpoint: %s; put it back"
                        : "cannot open its file %s on the node where it arrived: %s; files of ranks that "
                          "move must be on a file system that all nodes share",
                    path, strerrordesc_np(errno));
  if (left.bytes >= 0) cut(rank, path, number, left.bytes);
  struct stat status;
  const bool to_be_the_same = left.inode && !table.is_saved;
  if (to_be_the_same && (fstat(number, &status) != 0 || status.st_ino != left.inode))
    end_job_plainly(rank, 1,
                    "its file %s is another file on the node where it arrived; files of ranks that move must "
                    "be on a file system that all nodes share",
                    path);
  if (left.offset > 0 && lseek(number, left.offset, SEEK_SET) != left.offset)
    end_job_plainly(rank, 1, "cannot go to byte %lld of its file %s: %s", static_cast<long long>(left.offset),
                    path, strerrordesc_np(errno));
  return number;
}

/// Moves `from` to the number that the rank knows, which must be free here.
void put_at(const Rank& rank, int from, int number, int descriptor_flags) {
  if (from == number) return;
  SKEIN_CHECK(fcntl(number, F_GETFD) < 0, "descriptor %d of rank %d is in use on the PE where it arrives",
              number, rank.id);
  if (dup3(from, number, descriptor_flags & FD_CLOEXEC ? O_CLOEXEC : 0) < 0)
    end_job_plainly(
        rank, 1,
        "cannot have descriptor %d on the PE where it arrived: %s; raise the limit of open files (ulimit -n)",
        number, strerrordesc_np(errno));
}

/// Updates the device of the rank's directory: a file system that nodes share may have another one on each.
void find_directory_again(Rank& rank) {
  struct stat status;
  if (rank.directory.descriptor < 0) return;
  SKEIN_CHECK(fstat(rank.directory.descriptor, &status) == 0, "fstat: errno %d", errno);
  rank.directory.device = status.st_dev;
  rank.directory.inode = status.st_ino;
}

}  // namespace

std::vector<int> files_leave(Rank& rank, FileRoute route) {
  std::vector<int> numbers;
  if (!rank.process->files) return numbers;
  FileTable& table = *rank.process->files;
  forget_closed_descriptors(rank);
  table.is_saved = route == FileRoute::save;
  for (FILE* stream : table.streams) _IO_un_link(stream);
  for (const OpenDescriptor& d : table.descriptors) {
    table.left.push_back(describe(table, d.number, route));
    numbers.push_back(d.number);
  }
  return numbers;
}

std::size_t descriptors_under_way(const Rank& rank) {
  return rank.process->files ? rank.process->files->left.size() : 0;
}

void files_stay(Rank& rank) {
  if (!rank.process->files) return;
  FileTable& table = *rank.process->files;
  table.left.clear();
  table.paths.clear();
  for (FILE* stream : table.streams) _IO_link_in(stream);
}

const char* files_bound_to_node(const Rank& rank) {
  if (const char* because = input_bound_to_node(rank)) return because;
  if (!rank.process->files) return nullptr;
  for (const OpenDescriptor& d : rank.process->files->descriptors) {
    struct stat here, named;
    if (fstat(d.number, &here) != 0 || stat(path_of(d.number).c_str(), &named) != 0 ||
        here.st_ino != named.st_ino || here.st_dev != named.st_dev)
      return "it holds an open file that has no name any more";
    if (is_locked(d.number)) return "it holds a lock on a file";
  }
  return nullptr;
}

void files_arrive(Rank& rank, std::span<const int> received) {
  if (rank.process->unbuffered_output) unbuffer_standard_output();
  if (!rank.process->files) return;
  FileTable& table = *rank.process->files;
  SKEIN_CHECK(table.left.size() == table.descriptors.size(), "rank %d arrives without having left", rank.id);
  SKEIN_CHECK(received.empty() || received.size() == table.left.size(),
              "%zu descriptors of rank %d came, not %zu", received.size(), rank.id, table.left.size());
  for (std::size_t i = 0; i < table.left.size(); ++i) {
    const OpenDescriptor& d = table.descriptors[i];
    const auto sibling =
        std::find_if(table.descriptors.begin(), table.descriptors.begin() + static_cast<std::ptrdiff_t>(i),
                     [&](const OpenDescriptor& other) { return other.description == d.description; });
    const bool opened = received.empty() && sibling->number != d.number;
    const int from = !received.empty() ? received[i]
                     : opened          ? sibling->number
                                       : open_again(rank, table, table.left[i]);
    put_at(rank, from, d.number, table.left[i].descriptor_flags);
    if (!opened && from != d.number) close(from);
  }
  find_directory_again(rank);
  files_stay(rank);
}

void spare_process_descriptor(const Rank& rank, FILE* stream) {
  const int number = stream->_fileno;
  if (number < 0 || (number > STDERR_FILENO && number != input_number(rank))) return;
  const fiber::RuntimeScope runtime;  // the copy is no file of the rank's
  fflush(stream);                     // others are to read what it read ahead from a file
  const int spare = fcntl(number, F_DUPFD_CLOEXEC, 0);
  if (spare >= 0) stream->_fileno = spare;
}

void close_files(Rank& rank) {
  if (!rank.process->files) return;
  rank.directory = {};  // its descriptor goes with the others
  FileTable& table = *rank.process->files;
  while (!table.streams.empty()) {
    FILE* stream = table.streams.back();
    const std::string path = path_of(stream->_fileno);
    forget_stream(rank, stream);
    forget_descriptor(rank, stream->_fileno);
    spare_process_descriptor(rank, stream);
    if (__fwriting(stream) && (ferror(stream) || fflush(stream) != 0))
      SKEIN_WARN("rank %d ends, but not all of its output to %s could be written: %s", rank.id, path.c_str(),
                 strerrordesc_np(errno));
    fclose(stream);
  }
  while (!table.descriptors.empty()) {
    const int number = table.descriptors.back().number;
    forget_descriptor(rank, number);
    close(number);
  }
}

void abandon_files(Rank& rank) {
  if (!rank.process->files) return;
  rank.directory = {};
  fiber::RuntimeScope runtime;
  FileTable& table = *rank.process->files;
  for (FILE* stream : table.streams) _IO_un_link(stream);
  for (const OpenDescriptor& d : table.descriptors) close(d.number);
  table.streams.clear();
  table.descriptors.clear();
}

bool streams_can_move() {
  if (!_IO_un_link || !_IO_link_in) return false;
  fiber::RuntimeScope runtime;
  std::size_t written = 0;
  const auto count = [](void* total, const char*, std::size_t bytes) {
    *static_cast<std::size_t*>(total) += bytes;
    return static_cast<ssize_t>(bytes);
  };
  FILE* stream = fopencookie(&written, "w", {nullptr, count, nullptr, nullptr});
  if (!stream) return false;
  fputs("ab", stream);
  _IO_un_link(stream);
  fflush(nullptr);
  const bool left = written == 0;
  _IO_link_in(stream);
  fflush(nullptr);
  const bool came_back = written == 2;
  fclose(stream);
  return left && came_back;
}

}  // namespace skein::libc
