// SPDX-License-Identifier: Apache-2.0
// MPI-IO (MPI 4.1, chapter 14) of ranks. This folder implements views, pointers and collective access; the
// MPI underneath reads and writes the bytes, through runtime/net/pe_files.hpp.
//
//   view.hpp, representation.hpp   where the data of a rank is in the file, and its form there
//   here.hpp                       the open file of a PE, which its ranks share
//   access.hpp                     accesses of one rank alone
//   collective.hpp                 accesses of all members together, in large pieces
//   home.hpp                       state shared by the members: shared pointer, turns of atomic accesses
//   api_*.cpp                      the functions
//
// The state of an open file of a rank is in the rank's slot and moves with it, except the PE's open file. An
// access blocks the PE, not only the rank, as the MPI underneath does not know of ranks.
#pragma once

#include <cstdint>
#include <deque>
#include <memory_resource>
#include <string>

#include "runtime/net/pe_files.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/errors.hpp"
#include "runtime/vmpi/io/view.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

struct Answer;

/// The shared state of a file's members, kept by its first member (home.hpp).
struct Common {
  explicit Common(std::pmr::memory_resource* memory) : waiting(memory) {}
  struct Waiting {
    int rank;  ///< of the world
    Answer* answer;
  };
  std::int64_t shared_position = 0;  ///< in etypes
  bool taken = false;                ///< whether a member has its turn
  std::pmr::deque<Waiting> waiting;  ///< members that wait for their turns
};

/// A split collective that was begun: all its work is done at the begin, and its result is returned at the
/// end.
struct SplitCall {
  const char* begun = nullptr;  ///< the function's name without _begin; null: none is under way
  int error = MPI_SUCCESS;
  std::size_t bytes = 0;
};

/// One rank's end of an open file. Lives in the rank's slot.
struct File {
  File(RankState& owner, Comm& members)
      : state(owner), comm(members), path(&owner.memory), common(&owner.memory) {}

  RankState& state;
  MPI_File handle = MPI_FILE_NULL;
  /// The members: a communicator of the file alone, without a handle. It has the file's error handler and
  /// carries the file's handle, so raise() on it raises an error of the file.
  Comm& comm;
  std::pmr::string path;    ///< absolute
  std::uint64_t inode = 0;  ///< 0: not known
  int amode = 0;
  Info* info = nullptr;  ///< the hints in force
  View view;
  std::int64_t position = 0;  ///< individual file pointer, in etypes
  bool atomic = false;
  SplitCall split;
  File* home = nullptr;  ///< the first member's file, in its slot, whose `common` all members use
  Common common;
  /// The file that the PE has open for it; valid in this generation of the placement only (here.hpp).
  struct {
    std::uint64_t generation = 0;
    net::PeFile* file = nullptr;
  } here;

  bool readable() const { return (amode & MPI_MODE_WRONLY) == 0; }
  bool writable() const { return (amode & MPI_MODE_RDONLY) == 0; }
};

inline File* find_file(const RankState& state, MPI_File handle) { return state.files.find(handle); }

/// Gets the open file of a handle, or raises MPI_ERR_FILE through the handler of MPI_FILE_NULL.
[[nodiscard]] int get_file(const ApiCall& call, MPI_File handle, File*& file);

/// Makes a rank's end of a file that `members` (whose reference it takes) are about to open, with a handle
/// and the error handler of MPI_FILE_NULL.
File& make_file(RankState& state, Comm& members);
/// Frees the file's memory in the slot.
void free_file(File& file);

/// Returns the error class of MPI for a fault of the MPI underneath.
int error_class_of(net::FileFault fault);
/// Raises an error that names the file.
[[nodiscard]] int raise_fault(const ApiCall& call, const File& file, int error_class);

/// Returns the absolute form of `path` as the running rank means it now, without a prefix by which users of
/// ROMIO name a kind of file system ("ufs:").
std::string absolute_path(const char* path);

// Hints (MPI 4.1, 14.2.8) come from the program, and go to the MPI underneath when a file is opened, which
// may use hints unknown here. MPI_File_get_info returns the known ones, as others may not be in force.
// CollectiveHints has those that this folder uses.

/// Adds the hints of an info object, which may be MPI_INFO_NULL, to the file's own. Drops invalid values.
void take_hints(File& file, MPI_Info info);

/// Makes an info object with the hints in force: those of the program that are known, and defaults for the
/// others.
Info& hints_in_force(const File& file);

}  // namespace skein::vmpi
