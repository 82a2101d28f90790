// SPDX-License-Identifier: Apache-2.0
// One-sided communication in a recording. Fences and the end of a window are recorded as barriers, the making
// of a window as that of a communicator. MPI_Win_post, _start, _complete and _wait are recorded as messages
// without data, which they are; any other call that may wait or moves data is a region of the program with
// the name of the function.
#pragma once

#include "runtime/vmpi/record/collectives.hpp"
#include "runtime/vmpi/record/waits.hpp"
#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {

/// Returns the event of a fence, or of the end of a window.
inline trace::Event barrier_event(const Window& window) {
  return collective_event(trace::Collective::barrier, *window.comm, 0);
}

/// While this object exists, the rank is in a region named by its call.
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

enum class Notice : int { posted, completed };  ///< the values are the tags
/// Records that the rank has told another one.
void record_notice(Window& window, Notice notice, int to);

/// Records a wait for a notice: made before the wait, has_come() is called after it.
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
