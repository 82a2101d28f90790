// SPDX-License-Identifier: Apache-2.0
// What a rank tells that is no message: sync points, regions, its end.
#include <algorithm>

#include "runtime/move/rank_pages.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/trace/read_name.hpp"
#include "runtime/vmpi/record/events.hpp"

namespace skein::vmpi {

void RecordedSync::enter(RankState& state) {
  entry_ = stream_of(state).enter_reading();
  at_s_ = net::job_seconds();
  bytes_ = move::bytes_to_copy(state.rank);
}

void RecordedSync::record(RankState& state) const {
  Event event;
  event.kind = EventKind::sync;
  event.bytes = bytes_;
  trace::Stream& stream = stream_of(state);
  stream.leave_reading(event, entry_);
  // The clock of the processor may be another one's by now.
  event.call_ns = static_cast<std::uint64_t>(std::max(0.0, net::job_seconds() - at_s_) * 1e9);
  stream.add(event);
}

void control_recording(int level, const char* name) {
  const ApiCall call("MPI_Pcontrol", Outside::is_allowed);
  trace::Stream& stream = stream_of(call.state);
  if (level == 2) stream.write_out();
  char text[trace::longest_name + 1];
  if ((level != 1 && level != -1) || !trace::read_name(name, text)) return;
  const std::uint64_t number = trace::number_of(text);
  Event event;
  event.kind = level > 0 ? EventKind::region_begin : EventKind::region_end;
  event.list = {&number, 1};
  stream.end_burst(event, place_of(CallKind::region, level, static_cast<int>(number)));
  stream.add(event);
}

void record_end(RankState& state) {
  Event event;
  event.kind = EventKind::end;
  trace::Stream& stream = stream_of(state);
  stream.end_last_burst(event);
  stream.add(event);
}

}  // namespace skein::vmpi
