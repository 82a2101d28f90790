// SPDX-License-Identifier: Apache-2.0
// Shared by the functions of files: checks, agreements of members, events of recordings.
#pragma once

#include "runtime/vmpi/arguments.hpp"
#include "runtime/vmpi/coll/api/collectives.hpp"
#include "runtime/vmpi/io/collective.hpp"
#include "runtime/vmpi/io/file.hpp"
#include "runtime/vmpi/io/here.hpp"
#include "runtime/vmpi/io/home.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi {

/// Gets an open file, for functions that are not allowed on files opened with MPI_MODE_SEQUENTIAL.
[[nodiscard]] int get_seekable_file(const ApiCall& call, MPI_File handle, File*& file);
/// Gets an open file that may be written.
[[nodiscard]] int get_writable_file(const ApiCall& call, MPI_File handle, File*& file);
/// Checks that no split collective is under way, during which other collective calls are errors.
[[nodiscard]] int check_no_split(const ApiCall& call, const File& file);

/// Agrees on an error class: each member passes its own; a member without error gets another's. Returns when
/// all members have called it.
int agree_on_error(File& file, int error);

/// Calls `act()` on the first member, when all members have come; all get the error class that it returns.
/// Called by all members.
template <class Act>
int once_for_all(File& file, int own_error, const Act& act) {
  std::int64_t error = agree_on_error(file, own_error);
  if (error != MPI_SUCCESS) return static_cast<int>(error);
  if (file.comm.rank == 0) error = act();
  tell_members(file.comm, next_collective_tag(file.comm), &error, sizeof error);
  return static_cast<int>(error);
}

/// Records a call as one event with its time: made at the begin of the call.
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

/// Records a call that reads and writes nothing, from its begin to its end.
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
