// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/rma/recorded.hpp"

namespace skein::vmpi {

void RecordedRegion::add(trace::EventKind kind) const {
  const std::uint64_t number = trace::number_of(call_.function);
  trace::Event event;
  event.kind = kind;
  event.list = {&number, 1};
  trace::Stream& stream = stream_of(call_.state);
  stream.end_burst(
      event, place_of(CallKind::region, kind == trace::EventKind::region_begin, static_cast<int>(number)));
  stream.add(event);
}

void record_notice(Window& window, Notice notice, int to) {
  if (trace::recording) [[unlikely]]
    record_buffered_send(*window.owner, *window.comm, to, static_cast<int>(notice), 0);
}

RecordedNotice::RecordedNotice(Window& window, Notice notice, int from)
    : window_(window), notice_(notice), from_(from), recorded_(*window.owner) {}

void RecordedNotice::has_come() const {
  if (!trace::recording) return;
  Request receive(*window_.owner, *window_.comm, {0, from_, static_cast<int>(notice_)}, Data{});
  receive.received = {from_, static_cast<int>(notice_), 0};
  recorded_.was(receive);
}

}  // namespace skein::vmpi
