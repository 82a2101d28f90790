// SPDX-License-Identifier: Apache-2.0
// The open files of a rank. The table lives in the rank's slot and is kept by the functions that open and
// close; files.hpp moves its files.
//
// A descriptor's number must mean the same file on every PE where the rank runs, so each rank has a window of
// numbers of its own:
//
//   window(rank) = [first + rank * width, first + (rank + 1) * width)
//
// and a file that a rank opens is given a number there. Numbers below `first` are the process's. A descriptor
// that finds no room in its window keeps a process's number, and its rank is pinned while it is open. Ranks
// with sockets, pipes and the like, which nothing can reopen, are pinned, too; those keep their low numbers,
// so that select() (which takes numbers below 1024 only) works on them.
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
  int description = 0;                   ///< equal for descriptors that are dup() of each other
  const char* pinned_because = nullptr;  ///< static text, or null: it can move
  bool hidden = false;                   ///< the runtime's, for the rank: its program has no such number
};

/// Memory or a handle outside the slot that pins the rank while it exists.
struct Attachment {
  const void* begin = nullptr;
  std::size_t bytes = 0;  ///< 0 for a handle
  const char* pinned_because = nullptr;
};

/// Memory that the rank has mapped and that lies in its slot, or what is left of it (mappings.cpp).
struct SlotMapping {
  std::byte* block = nullptr;  ///< the heap's block: one for all parts that are left
  std::size_t bytes = 0;
};

/// The end of the rank's data, as set by brk() and sbrk() (mappings.cpp).
struct ProgramBreak {
  std::byte* begin = nullptr;  ///< null until first used
  std::byte* now = nullptr;
  std::byte* end = nullptr;
};

/// How to open a file again, on another node or in another job: written when the rank leaves, read when it
/// arrives.
struct LeftFile {
  int status_flags = 0;      ///< by F_GETFL
  int descriptor_flags = 0;  ///< by F_GETFD
  std::int64_t offset = 0;
  std::uint64_t inode = 0;    ///< 0 for devices
  std::int64_t bytes = -1;    ///< of a saved file that the rank can write (FileRoute::save)
  std::uint32_t path_at = 0;  ///< begin of its absolute path in FileTable::paths
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
  std::pmr::map<std::byte*, SlotMapping> mappings;  ///< by their begin
  ProgramBreak program_break;
  int next_description = 0;
  const char* pin = nullptr;  ///< the last text that this table wrote to rank.pinned_because

  std::pmr::vector<LeftFile> left;  ///< parallel to `descriptors` while the rank is under way
  std::pmr::vector<char> paths;
  bool is_saved = false;  ///< saved in a file (FileRoute::save)
};

/// Returns the rank's table, made at the first call.
FileTable& file_table(Rank& rank);

/// Raises this process's limit of descriptors to the hard limit and returns it.
int raise_descriptor_limit();
/// Lays out the windows. `limit` is the least of all PEs' limits: windows must be equal everywhere. Once,
/// before any rank runs; until then every descriptor of a rank pins it.
void set_descriptor_windows(int limit, int ranks);
/// Returns the process's descriptor of /dev/null, the last below the windows, which ranks without input read.
int empty_input();

/// Takes `number`, just opened by the rank, into its table, and moves it into the rank's window if it can
/// move. Returns the new number; keeps errno. Returns a negative number unchanged.
int adopt_descriptor(Rank& rank, int number);
/// Adopts `copy`, which dup() made of `original`.
int adopt_copy(Rank& rank, int original, int copy);
/// Adopts a copy whose number the program chose, and which keeps it (dup2()).
int adopt_copy_at(Rank& rank, int original, int copy);
/// Adopts a descriptor that never moves: it keeps its number.
int adopt_pinning(Rank& rank, int number, const char* because);
/// Adopts `number`, which the runtime opened for the rank, and hides it from the program.
int adopt_hidden(Rank& rank, int number);
/// Closes a hidden descriptor.
void drop_hidden(Rank& rank, int number);
/// Removes a descriptor from the table; does not close it.
void forget_descriptor(Rank& rank, int number);
/// Returns the rank's entry of that number, or null.
const OpenDescriptor* find_descriptor(const Rank& rank, int number);
/// Returns the rank whose window has the number, or -1.
int window_of(int number);
/// Forgets descriptors that were closed unseen by these functions (inside the C library, by syscall()).
void forget_closed_descriptors(Rank& rank);

/// Notes a stream that the rank opened; forget_stream() notes that it closes one.
void add_stream(Rank& rank, FILE* stream);
void forget_stream(Rank& rank, FILE* stream);

void attach_memory(Rank& rank, const void* begin, std::size_t bytes, const char* because);
/// Removes the range from the memory attachments.
void detach_memory(Rank& rank, const void* begin, std::size_t bytes);
void attach_handle(Rank& rank, const void* handle, const char* because);
void detach_handle(Rank& rank, const void* handle);

}  // namespace skein::libc
