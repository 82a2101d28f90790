// SPDX-License-Identifier: Apache-2.0
// What a rank holds open. The table lives in the rank's slot and is kept by the functions that open and
// close; files.hpp moves what it lists.
//
// A descriptor's number must mean the same file on every PE where the rank runs, so each rank has a window of
// numbers of its own:
//
//   window(rank) = [first + rank * width, first + (rank + 1) * width)
//
// and a file that a rank opens is given a number there. Numbers below `first` are the process's. A descriptor
// that finds no room in its window keeps a process's number, and its rank is pinned while it is open. So are
// ranks with sockets, pipes and the like, which nothing can reopen; those keep their low numbers, so that
// select() (which takes numbers below 1024 only) works on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory_resource>
#include <vector>

namespace skein {
struct Rank;
}

namespace skein::libc {

struct OpenDescriptor {
  int number = -1;
  int description = 0;                   ///< equal for descriptors that dup() made of each other
  const char* pinned_because = nullptr;  ///< static text, or null: it can move
  bool hidden = false;                   ///< kept for the rank by the runtime: its program has no such number
};

/// Memory or a handle outside the slot that pins the rank while it is there.
struct Attachment {
  const void* begin = nullptr;
  std::size_t bytes = 0;  ///< 0 for a handle
  const char* pinned_because = nullptr;
};

/// Memory that the rank has mapped and that lies in its slot, or what is left of it (mappings.cpp).
struct SlotMapping {
  std::byte* block = nullptr;  ///< what the rank's heap gave: one for all that is left
  std::size_t bytes = 0;
};

/// Where brk() and sbrk() have put the end of the rank's data (mappings.cpp).
struct ProgramBreak {
  std::byte* begin = nullptr;  ///< null until it is asked for
  std::byte* now = nullptr;
  std::byte* end = nullptr;
};

/// How to open a file again, on another node or in another job: written when the rank leaves, read when it
/// arrives.
struct LeftFile {
  int status_flags = 0;      ///< of F_GETFL
  int descriptor_flags = 0;  ///< of F_GETFD
  std::int64_t offset = 0;
  std::uint64_t inode = 0;    ///< 0 for devices
  std::int64_t bytes = -1;    ///< of one that the rank can write and has saved (FileRoute::save)
  std::uint32_t path_at = 0;  ///< where its absolute path begins in FileTable::paths
};

struct FileTable {
  explicit FileTable(std::pmr::memory_resource* memory)
      : descriptors(memory),
        streams(memory),
        attachments(memory),
        mappings(memory),
        left(memory),
        paths(memory) {}

  std::pmr::vector<OpenDescriptor> descriptors;
  std::pmr::vector<FILE*> streams;  ///< in the slot; with or without a descriptor
  std::pmr::vector<Attachment> attachments;
  std::pmr::map<std::byte*, SlotMapping> mappings;  ///< by where they begin
  ProgramBreak program_break;
  int next_description = 0;
  const char* pin = nullptr;  ///< what this table wrote to rank.pinned_because last

  std::pmr::vector<LeftFile> left;  ///< parallel to `descriptors` while the rank is under way
  std::pmr::vector<char> paths;
  bool is_saved = false;  ///< it went into a file (FileRoute::save)
};

/// The rank's table, made at the first call.
FileTable& file_table(Rank& rank);

/// Raises this process's limit of descriptors to the hard limit and returns it.
int raise_descriptor_limit();
/// Lays out the windows. `limit` is the least of all PEs' limits: windows must be equal everywhere. Once,
/// before any rank runs; until then every descriptor of a rank pins it.
void set_descriptor_windows(int limit, int ranks);
/// The process's descriptor of /dev/null, the last below the windows: what ranks without input read.
int empty_input();

/// Takes `number`, just opened by the rank, into its table and moves it into the rank's window where it is
/// one that can move. Returns the number from now on; keeps errno. A negative number is returned as it is.
int adopt_descriptor(Rank& rank, int number);
/// Adopts `copy`, which dup() made of `original`.
int adopt_copy(Rank& rank, int original, int copy);
/// Adopts a copy whose number the program chose, and which therefore keeps it (dup2()).
int adopt_copy_at(Rank& rank, int original, int copy);
/// For what never moves: the number stays.
int adopt_pinning(Rank& rank, int number, const char* because);
/// Takes `number`, which the runtime opened for the rank, likewise, and hides it from the program.
int adopt_hidden(Rank& rank, int number);
/// Closes such a one.
void drop_hidden(Rank& rank, int number);
/// Drops it from the table; does not close it.
void forget_descriptor(Rank& rank, int number);
/// The rank's entry of that number, or null.
const OpenDescriptor* find_descriptor(const Rank& rank, int number);
/// Whose window the number is in, or -1.
int window_of(int number);
/// Drops those that were closed by ways that these functions do not see (inside the C library, syscall()).
void forget_closed_descriptors(Rank& rank);

/// A stream that the rank opened, and one that it closes.
void add_stream(Rank& rank, FILE* stream);
void forget_stream(Rank& rank, FILE* stream);

void attach_memory(Rank& rank, const void* begin, std::size_t bytes, const char* because);
/// Drops the part of the memory attachments that lies in the range.
void detach_memory(Rank& rank, const void* begin, std::size_t bytes);
void attach_handle(Rank& rank, const void* handle, const char* because);
void detach_handle(Rank& rank, const void* handle);

}  // namespace skein::libc
