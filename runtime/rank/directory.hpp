// SPDX-License-Identifier: Apache-2.0
// The working directory of each rank. The system has one for the process, and whatever takes a relative path
// means that one: the C library and its inside, other libraries, the kernel, children. So it is exchanged
// when the processor goes from one rank to another, where their directories differ; two words are compared
// where they do not.
//
// On the PE's own stack the directory of the rank that ran last stays in force: polling opens no files. Who
// opens some there calls use_process_directory() first.
#pragma once

#include <cstdint>

namespace skein {

struct Rank;

/// In the rank's slot. Without a descriptor, the one that the process was started in.
struct Directory {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  int descriptor = -1;  ///< open while the rank is in the directory; it moves with the rank's files

  bool is(const Directory& other) const { return inode == other.inode && device == other.device; }
};

struct ProcessDirectories {
  Directory in_force;  ///< at this moment; its descriptor means nothing
  Directory at_start;  ///< without a descriptor until a rank has left it
};
extern ProcessDirectories process_directories;

/// Puts the rank's directory in force. Ends the job where the system refuses (it was taken the right to enter
/// it).
[[gnu::cold, gnu::noinline]] void use_directory(const Rank& rank);
void use_process_directory();

/// Makes the rank's directory that of `descriptor`, in force at once. From the rank. False with errno if the
/// system refuses. The descriptor is in rank.directory then, which had another before; or it is the process's
/// own directory, and rank.directory has none.
bool enter_directory(Rank& rank, int descriptor);

}  // namespace skein
