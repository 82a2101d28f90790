// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/file_table.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/descriptor_owners.hpp"
#include "runtime/libc/files.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/rank/end_job.hpp"

namespace skein::libc {
namespace {

/// The highest limit of descriptors: the kernel's table of a process costs 8 bytes for each number up to the
/// highest in use.
constexpr int kHighestLimit = 1 << 20;
constexpr int kWidestWindow = 256;

constexpr const char kNoRoom[] = "it holds more open files than have room in its window of descriptors";

bool in_window(const Rank& rank, int number) {
  const int begin = descriptor_numbers.first + rank.id * descriptor_numbers.width;
  return number >= begin && number < begin + descriptor_numbers.width;
}

/// Returns why a descriptor pins the rank; null for regular files, directories and the devices that can be
/// opened again by name.
const char* why_it_pins(int number) {
  struct stat status;
  if (fstat(number, &status) != 0) return "it holds a descriptor that fstat() does not know";
  if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISCHR(status.st_mode)) return nullptr;
  if (S_ISFIFO(status.st_mode)) return "it holds a pipe";
  if (S_ISSOCK(status.st_mode)) return "it holds a socket";
  return "it holds a descriptor that is no file";
}

/// Recomputes why the files pin the rank, unless something else pinned it.
void update_pin(Rank& rank, FileTable& table) {
  const char* because = nullptr;
  for (const OpenDescriptor& d : table.descriptors)
    if (d.pinned_because) because = d.pinned_because;
  for (const Attachment& a : table.attachments) because = a.pinned_because;
  if (rank.pinned_because == nullptr || rank.pinned_because == table.pin) rank.pinned_because = because;
  table.pin = because;
}

/// Returns the descriptor's new number in the rank's window, or the old one if there is no room.
int move_to_window(const Rank& rank, int number) {
  if (descriptor_numbers.width == 0 || in_window(rank, number)) return number;
  const int close_on_exec = fcntl(number, F_GETFD) & FD_CLOEXEC;
  const int moved = fcntl(number, close_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD,
                          descriptor_numbers.first + rank.id * descriptor_numbers.width);
  if (moved < 0) return number;
  close(in_window(rank, moved) ? number : moved);
  return in_window(rank, moved) ? moved : number;
}

void note_no_room(const Rank& rank) {
  warn_once(
      "rank %d stays where it is while more than %d of its files are open: each rank has that many "
      "descriptor numbers; raise the limit of open files (ulimit -n) or start fewer ranks",
      rank.id, descriptor_numbers.width);
}

OpenDescriptor* find(FileTable& table, int number) {
  for (OpenDescriptor& d : table.descriptors)
    if (d.number == number) return &d;
  return nullptr;
}

int enter(Rank& rank, int number, int description, const char* because) {
  note_descriptor_of(rank, number);
  FileTable& table = file_table(rank);
  // A library may have closed the number's last file inside the C library, unseen.
  std::erase_if(table.descriptors, [=](const OpenDescriptor& d) { return d.number == number; });
  table.descriptors.push_back({number, description, because});
  update_pin(rank, table);
  return number;
}

enum class Number { free_to_change, fixed };

int adopt(Rank& rank, int number, int description, Number choice) {
  fiber::RuntimeScope runtime;
  const int error_number = errno;
  const char* because = why_it_pins(number);
  if (!because) {
    if (choice == Number::free_to_change) number = move_to_window(rank, number);
    if (!in_window(rank, number)) {
      because = kNoRoom;
      note_no_room(rank);
    }
  }
  enter(rank, number, description, because);
  errno = error_number;
  return number;
}

int adopt_copy_as(Rank& rank, int original, int copy, Number choice) {
  if (copy < 0) return copy;
  FileTable& table = file_table(rank);
  forget_descriptor(rank, copy);  // dup2() closes the number's former file
  const OpenDescriptor* known = find(table, original);
  if (known && known->pinned_because && known->pinned_because != kNoRoom)
    return enter(rank, copy, known->description, known->pinned_because);
  return adopt(rank, copy, known ? known->description : table.next_description++, choice);
}

}  // namespace

FileTable& file_table(Rank& rank) {
  ProcessState& process = *rank.process;
  if (!process.files) {
    std::pmr::polymorphic_allocator<> slot(&rank.memory);
    process.files = slot.new_object<FileTable>(&rank.memory);
  }
  return *process.files;
}

void forget_closed_descriptors(Rank& rank) {
  FileTable& table = file_table(rank);
  std::erase_if(table.descriptors, [](const OpenDescriptor& d) { return fcntl(d.number, F_GETFD) < 0; });
  update_pin(rank, table);
}

int raise_descriptor_limit() {
  rlimit limit;
  SKEIN_CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0, "getrlimit: errno %d", errno);
  const rlim_t wanted = std::min<rlim_t>(limit.rlim_max, kHighestLimit);
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = wanted;
    SKEIN_CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0, "setrlimit: errno %d", errno);
  }
  return static_cast<int>(std::min<rlim_t>(limit.rlim_cur, kHighestLimit));
}

void set_descriptor_windows(int limit, int ranks) {
  descriptor_numbers.first = std::min(kNumbersForTheProcess, limit / 2);
  const int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
  SKEIN_CHECK(empty >= 0 && dup3(empty, empty_input(), O_CLOEXEC) == empty_input(), "/dev/null: errno %d",
              errno);
  if (empty != empty_input()) close(empty);
  descriptor_numbers.width = std::min(kWidestWindow, (limit - descriptor_numbers.first) / std::max(ranks, 1));
  descriptor_numbers.ranks = ranks;
}

int empty_input() { return descriptor_numbers.first - 1; }

int adopt_descriptor(Rank& rank, int number) {
  if (number < 0) return number;
  return adopt(rank, number, file_table(rank).next_description++, Number::free_to_change);
}
int adopt_copy(Rank& rank, int original, int copy) {
  return adopt_copy_as(rank, original, copy, Number::free_to_change);
}
int adopt_copy_at(Rank& rank, int original, int copy) {
  return adopt_copy_as(rank, original, copy, Number::fixed);
}
int adopt_pinning(Rank& rank, int number, const char* because) {
  if (number < 0) return number;
  return enter(rank, number, file_table(rank).next_description++, because);
}

int adopt_hidden(Rank& rank, int number) {
  number = adopt_descriptor(rank, number);
  find(file_table(rank), number)->hidden = true;
  return number;
}
void drop_hidden(Rank& rank, int number) {
  forget_descriptor(rank, number);
  close(number);
}

void forget_descriptor(Rank& rank, int number) {
  if (!find_descriptor(rank, number)) return;
  note_closed_descriptor(number);
  FileTable& table = *rank.process->files;
  std::erase_if(table.descriptors, [=](const OpenDescriptor& d) { return d.number == number; });
  update_pin(rank, table);
}

const OpenDescriptor* find_descriptor(const Rank& rank, int number) {
  return rank.process->files ? find(*rank.process->files, number) : nullptr;
}

int window_of(int number) {
  if (descriptor_numbers.width == 0 || number < descriptor_numbers.first) return -1;
  const int rank = (number - descriptor_numbers.first) / descriptor_numbers.width;
  return rank < descriptor_numbers.ranks ? rank : -1;
}

void add_stream(Rank& rank, FILE* stream) {
  file_table(rank).streams.push_back(stream);
  static const bool can_move = streams_can_move();
  if (!can_move) attach_handle(rank, stream, "it holds a stream, and this C library's streams cannot move");
}

void forget_stream(Rank& rank, FILE* stream) {
  if (!rank.process->files) return;
  std::erase(rank.process->files->streams, stream);
  detach_handle(rank, stream);
}

void attach_memory(Rank& rank, const void* begin, std::size_t bytes, const char* because) {
  FileTable& table = file_table(rank);
  table.attachments.push_back({begin, bytes, because});
  update_pin(rank, table);
}

void detach_memory(Rank& rank, const void* begin, std::size_t bytes) {
  if (!rank.process->files) return;
  FileTable& table = *rank.process->files;
  const auto* from = static_cast<const char*>(begin);
  const char* to = from + bytes;
  std::pmr::vector<Attachment> kept(table.attachments.get_allocator());
  for (const Attachment& a : table.attachments) {
    const auto* low = static_cast<const char*>(a.begin);
    const char* high = low + a.bytes;
    if (a.bytes == 0 || high <= from || to <= low) {
      kept.push_back(a);
      continue;
    }
    if (low < from) kept.push_back({low, static_cast<std::size_t>(from - low), a.pinned_because});
    if (to < high) kept.push_back({to, static_cast<std::size_t>(high - to), a.pinned_because});
  }
  table.attachments = std::move(kept);
  update_pin(rank, table);
}

void attach_handle(Rank& rank, const void* handle, const char* because) {
  attach_memory(rank, handle, 0, because);
}

void detach_handle(Rank& rank, const void* handle) {
  if (!rank.process->files) return;
  FileTable& table = *rank.process->files;
  const auto found = std::find_if(table.attachments.begin(), table.attachments.end(),
                                  [=](const Attachment& a) { return a.bytes == 0 && a.begin == handle; });
  if (found == table.attachments.end()) return;
  table.attachments.erase(found);
  update_pin(rank, table);
}

}  // namespace skein::libc
