// SPDX-License-Identifier: Apache-2.0
// MPI-IO (MPI 4.1, chapter 14) of ranks. This folder knows views, pointers and who takes part; the bytes are
// read and written by the MPI underneath, through runtime/net/pe_files.hpp.
//
//   view.hpp, representation.hpp   where the data of a rank lie in the file, and how they look there
//   here.hpp                       the open file of a PE, which its ranks share
//   access.hpp                     what one rank reads or writes by itself
//   collective.hpp                 what all members do together, in large pieces
//   home.hpp                       what the members have in common: shared pointer, turns of atomic accesses
//   api_*.cpp                      the functions
//
// All that belongs to an open file of a rank is in the rank's slot and moves with it, but what the PE has
// open. An access blocks the PE, not only the rank: the MPI underneath is asked, which does not know of
// ranks.
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

/// What the members of a file have in common, kept by its first member (home.hpp).
struct Common {
  explicit Common(std::pmr::memory_resource* memory) : waiting(memory) {}
  struct Waiting {
    int rank;  ///< of the world
    Answer* answer;
  };
  std::int64_t shared_position = 0;  ///< in etypes
  bool taken = false;                ///< somebody has its turn
  std::pmr::deque<Waiting> waiting;  ///< for their turns
};

/// A split collective that was begun: its work is done then, its result is told at the end.
struct SplitCall {
  const char* begun = nullptr;  ///< the function without _begin; null: none is under way
  int error = MPI_SUCCESS;
  std::size_t bytes = 0;
};

/// One rank's end of an open file. Lives in the rank's slot.
struct File {
  File(RankState& owner, Comm& members)
      : state(owner), comm(members), path(&owner.memory), common(&owner.memory) {}

  RankState& state;
  MPI_File handle = MPI_FILE_NULL;
  /// The members: a communicator of the file's own, which no handle names. It has the file's error handler
  /// and shows its handle, so raise() on it is raise() on the file.
  Comm& comm;
  std::pmr::string path;    ///< absolute
  std::uint64_t inode = 0;  ///< 0: not known
  int amode = 0;
  Info* info = nullptr;  ///< the hints in force
  View view;
  std::int64_t position = 0;  ///< individual file pointer, in etypes
  bool atomic = false;
  SplitCall split;
  File* home = nullptr;  ///< of the first member, in its slot; its `common` is everybody's
  Common common;
  /// What the PE has open for it; holds in that generation of the placement only (here.hpp).
  struct {
    std::uint64_t generation = 0;
    net::PeFile* file = nullptr;
  } here;

  bool readable() const { return (amode & MPI_MODE_WRONLY) == 0; }
  bool writable() const { return (amode & MPI_MODE_RDONLY) == 0; }
};

inline File* find_file(const RankState& state, MPI_File handle) { return state.files.find(handle); }

/// The open file of a handle, or MPI_ERR_FILE through the handler of MPI_FILE_NULL.
[[nodiscard]] int get_file(const ApiCall& call, MPI_File handle, File*& file);

/// A rank's end of a file that `members` (whose reference it takes) are about to open, with its handle and
/// the error handler of MPI_FILE_NULL.
File& make_file(RankState& state, Comm& members);
/// Gives back all that is in the slot.
void free_file(File& file);

/// The class of MPI for what the MPI underneath said.
int error_class_of(net::FileFault fault);
/// Raises it, naming the file.
[[nodiscard]] int raise_fault(const ApiCall& call, const File& file, int error_class);

/// `path` as a rank that runs means it now, absolute, without the prefix by which ROMIO's users name a kind
/// of file system ("ufs:").
std::string absolute_path(const char* path);

// Hints (MPI 4.1, 14.2.8): taken from what the program gives, and handed on to the MPI underneath where a
// file is opened, which may know some that nobody else does. MPI_File_get_info tells those that are known
// here, as others are not known to be in force. Those that this part itself acts on are in CollectiveHints.

/// Adds the hints of an info object, which may be MPI_INFO_NULL, to the file's own. Values that mean nothing
/// are left out.
void take_hints(File& file, MPI_Info info);

/// A new info object with the hints in force: the program's, as far as they are known, and what holds for
/// those that it did not give.
Info& hints_in_force(const File& file);

}  // namespace skein::vmpi
