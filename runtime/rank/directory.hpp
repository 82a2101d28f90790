// SPDX-License-Identifier: Apache-2.0
// The working directory of each rank. The system has one per process, to which every relative path refers: in
// the C library, also internally, in other libraries, the kernel, children. So it is exchanged when the
// processor goes from one rank to another whose directory differs; if both are equal, this costs a comparison
// of two words.
//
// On the PE's own stack the directory of the rank that ran last stays in force: polling opens no files. Code
// that opens some there calls use_process_directory() first.
#pragma once

#include <cstdint>

namespace skein {

struct Rank;

/// A rank's directory, in its slot. Without a descriptor: the directory that the process was started in.
struct Directory {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  int descriptor = -1;  ///< open while the rank is in the directory; it moves with the rank's files

  bool is(const Directory& other) const { return inode == other.inode && device == other.device; }
};

struct ProcessDirectories {
  Directory in_force;  ///< its descriptor means nothing
  Directory at_start;  ///< without a descriptor until a rank has left it
};
extern ProcessDirectories process_directories;

/// Puts the rank's directory in force. Ends the job if the system refuses (the process has lost the right to
/// enter it).
[[gnu::cold, gnu::noinline]] void use_directory(const Rank& rank);
void use_process_directory();

/// Makes `descriptor` the rank's directory, in force at once. From the rank. Returns false with errno if the
/// system refuses. rank.directory then holds the descriptor in place of its earlier one; or none, if it is
/// the process's own directory.
bool enter_directory(Rank& rank, int descriptor);

}  // namespace skein
