// SPDX-License-Identifier: Apache-2.0
// Starts of messages: their events, and the numbers of their requests.
#include "runtime/vmpi/record/events.hpp"

namespace skein::vmpi {
namespace {

void give_number(const Request& request, bool wild, trace::Stream& stream) {
  mark_of(request) = mark_of_number(stream.number_request()) | (wild ? Mark::tells_more : 0);
}

}  // namespace

void record_partitioned(Request& request, trace::EventKind kind, int peer, int tag, std::uint64_t bytes) {
  Comm& comm = *request.comm;
  Event event = event_of(kind, comm, peer, tag, bytes);
  event.communicator = recorded_partitions(comm);
  event.starts_request = true;
  trace::Stream& stream = stream_of(*request.owner);
  stream.end_burst(event, place_of(CallKind::start, peer, tag));
  number_request(request);
  stream.add(event);
}

void leave_unrecorded(Request& request) {
  request.owner->requests.recorded(request) = {0, trace::Stream::no_token};
}

void record_cancelled(Request& request) {
  std::uint32_t& mark = mark_of(request);
  if (!(mark & Mark::is_numbered)) return;
  mark |= Mark::tells_more;
  // The extra event is for this start alone.
  request.owner->requests.recorded(request).token = trace::Stream::no_token;
}

namespace {

int peer_to_start_with(const Request& request) {
  return request.kind == RequestKind::send ? request.sent.to : request.pattern.source;
}

}  // namespace

void record_start(Request& request) {
  const int peer = peer_to_start_with(request), tag = request.pattern.tag;
  if (peer == MPI_PROC_NULL) return leave_unrecorded(request);
  trace::Stream& stream = stream_of(*request.owner);
  stream.add(key_of(request, true, peer, tag), request.data.bytes, [&] {
    Event event = request.kind == RequestKind::send
                      ? event_of_send(request)
                      : event_of(EventKind::receive, *request.comm, peer, tag, request.data.bytes);
    event.starts_request = true;
    return event;
  });
  number_request(request);
  RequestTable::Recorded& recorded = request.owner->requests.recorded(request);
  recorded.token = recorded.mark & Mark::tells_more ? trace::Stream::no_token : stream.token_of_last();
}

void record_start_anew(Request& request) {
  const fiber::RuntimeScope runtime;
  record_start(request);
}
void look_from_program(trace::Stream& stream) {
  const fiber::RuntimeScope runtime;
  stream.look();
}

void number_messages(Request& request, int messages) {
  const std::uint32_t last = (stream_of(*request.owner).requests() - 1) & Mark::number;
  request.messages = messages;
  mark_of(request) = messages == 0   ? 0
                     : messages == 1 ? Mark::is_numbered | last
                                     : Mark::is_numbered | Mark::has_several | last;
}

void number_request(Request& request) {
  give_number(request, request.kind == RequestKind::receive && is_wildcard(request.pattern),
              stream_of(*request.owner));
}

void record_halves(RankState& state, const Request* in, const Request* out) {
  trace::Stream& stream = stream_of(state);
  for (const Request* half : {in, out}) {
    if (!half) continue;
    Event event = half == out ? event_of_send(*half)
                              : event_of(EventKind::receive, *half->comm, half->pattern.source,
                                         half->pattern.tag, half->data.bytes);
    event.starts_request = true;
    stream.end_burst(event, place_of(CallKind::start, event.partner, event.tag));
    stream.number_request();
    stream.add(event);
  }
}

void record_exchange_start(Request& request, const Request* in, const Request* out) {
  record_halves(*request.owner, in, out);
  const std::uint32_t last = (stream_of(*request.owner).requests() - 1) & Mark::number;
  const std::uint32_t wild = in && is_wildcard(in->pattern) ? Mark::tells_more : 0;
  mark_of(request) = in && out   ? Mark::is_numbered | Mark::has_several | wild | last
                     : in || out ? Mark::is_numbered | wild | last
                                 : 0;
}

void record_buffered_send(RankState& state, Comm& comm, int to, int tag, std::uint64_t bytes) {
  if (!trace::recording) return;
  Event event = event_of(EventKind::send, comm, to, tag, bytes);
  event.what = recorded_mode(SendMode::buffered);
  trace::Stream& stream = stream_of(state);
  stream.end_burst(event, place_of(CallKind::send, to, tag));
  stream.add(event);
}

}  // namespace skein::vmpi
