// SPDX-License-Identifier: Apache-2.0
// One-sided communication in a recording: fences are barriers, and so is the end of a window; its making is
// that of a communicator; MPI_Win_post, _start, _complete and _wait are the messages without data that they
// are; every other call that may wait or moves data is a region of the program's with the name of the
// function.
#pragma once

#include "runtime/vmpi/record/collectives.hpp"
#include "runtime/vmpi/record/waits.hpp"
#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {

/// What a fence is, and the end of a window.
inline trace::Event barrier_event(const Window& window) {
  return collective_event(trace::Collective::barrier, *window.comm, 0);
}

/// While it lives, the rank is in that call.
class RecordedRegion {
 public:
  explicit RecordedRegion(const ApiCall& call) : call_(call) {
    if (trace::recording) [[unlikely]]
      add(trace::EventKind::region_begin);
  }
  ~RecordedRegion() {
    if (trace::recording) [[unlikely]]
      add(trace::EventKind::region_end);
  }
  RecordedRegion(const RecordedRegion&) = delete;
  RecordedRegion& operator=(const RecordedRegion&) = delete;

 private:
  void add(trace::EventKind kind) const;
  const ApiCall& call_;
};

enum class Notice : int { posted, completed };  ///< its tag
/// The rank has told another one.
void record_notice(Window& window, Notice notice, int to);

/// The rank waits for a notice: made before, and told after it has come.
class RecordedNotice {
 public:
  RecordedNotice(Window& window, Notice notice, int from);
  void has_come() const;

 private:
  Window& window_;
  Notice notice_;
  int from_;
  RecordedCall recorded_;
};

}  // namespace skein::vmpi
