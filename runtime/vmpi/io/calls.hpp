// SPDX-License-Identifier: Apache-2.0
// What the functions of files share: checks, what members agree upon, what a recording tells.
#pragma once

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/coll/api/collectives.hpp"
#include "runtime/vmpi/io/collective.hpp"
#include "runtime/vmpi/io/file.hpp"
#include "runtime/vmpi/io/here.hpp"
#include "runtime/vmpi/io/home.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {

/// An open file for a function that a file opened with MPI_MODE_SEQUENTIAL does not have.
[[nodiscard]] int get_seekable_file(const ApiCall& call, MPI_File handle, File*& file);
/// An open file to be changed.
[[nodiscard]] int get_writable_file(const ApiCall& call, MPI_File handle, File*& file);
/// A collective call while a split one is under way is an error of the program's.
[[nodiscard]] int check_no_split(const ApiCall& call, const File& file);

/// Everybody comes and tells the class of its error; who has none gets another's. Nobody goes on before all
/// have come. By all members.
int agree_on_error(File& file, int error);

/// At the first member `act()` is called, when all members have come, and returns an error class; all get it
/// when that is done. By all members.
template <class Act>
int once_for_all(File& file, int own_error, const Act& act) {
  std::int64_t error = agree_on_error(file, own_error);
  if (error != MPI_SUCCESS) return static_cast<int>(error);
  if (file.comm.rank == 0) error = act();
  tell_members(file.comm, next_collective_tag(file.comm), &error, sizeof error);
  return static_cast<int>(error);
}

/// A call that is one event of the recording, with its time: made at its beginning.
class RecordedFileCall {
 public:
  explicit RecordedFileCall(RankState& state) {
    if (trace::recording) [[unlikely]]
      entry_ = stream_of(state).enter_reading();
  }
  void was(RankState& state, trace::FileCall what, std::size_t bytes) const {
    if (trace::recording) [[unlikely]]
      record(state, what, bytes);
  }

 private:
  void record(RankState& state, trace::FileCall what, std::size_t bytes) const;
  trace::Entry entry_;
};

/// Records a call that reads and writes nothing: from its beginning to its end.
class RecordedFileOther {
 public:
  explicit RecordedFileOther(RankState& state) : state_(state), recorded_(state) {}
  ~RecordedFileOther() { recorded_.was(state_, trace::FileCall::other, 0); }
  RecordedFileOther(const RecordedFileOther&) = delete;
  RecordedFileOther& operator=(const RecordedFileOther&) = delete;

 private:
  RankState& state_;
  RecordedFileCall recorded_;
};

}  // namespace skein::vmpi
