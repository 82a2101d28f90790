// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/record/record.hpp"

#include <algorithm>
#include <vector>

#include "runtime/base/upcalls.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/trace/read_name.hpp"
#include "runtime/vmpi/comm/inter.hpp"
#include "runtime/vmpi/p2p/request_table.hpp"

namespace skein::vmpi {
namespace {

using trace::Event;
using trace::EventKind;

// What is beside a request (RequestTable::mark_of): its number, and whether it has one. An MPI_Isendrecv has
// two, of which it is the later one's.
constexpr std::uint32_t is_numbered = 1u << 31, is_pair = 1u << 30, number_mask = is_pair - 1;

std::uint8_t recorded_mode(SendMode mode) {
  constexpr trace::SendMode modes[] = {trace::SendMode::standard, trace::SendMode::buffered,
                                       trace::SendMode::synchronous, trace::SendMode::ready};
  return static_cast<std::uint8_t>(modes[static_cast<std::size_t>(mode)]);
}

Event event_of(EventKind kind, Comm& comm, int peer, int tag, std::uint64_t bytes) {
  Event event;
  event.kind = kind;
  event.communicator = recorded_id(comm);
  event.partner = peer >= 0 ? comm.world_rank(peer) : trace::any;
  event.tag = tag >= 0 ? tag : trace::any;
  event.bytes = bytes;
  return event;
}

Event event_of_send(const Request& send) {
  Event event = event_of(EventKind::send, *send.comm, send.sent.to, send.pattern.tag, send.data.bytes);
  event.what = recorded_mode(send.mode);
  return event;
}

bool is_wildcard(const Pattern& pattern) {
  return pattern.source == MPI_ANY_SOURCE || pattern.tag == MPI_ANY_TAG;
}

/// `after`: how many requests were started after it.
Event event_of_match(const Request& receive, const std::uint64_t& after) {
  Event event = event_of(EventKind::matched, *receive.comm, receive.received.source, receive.received.tag,
                         receive.received.bytes);
  event.list = {&after, 1};
  return event;
}

/// Of the Wait or Test that takes results at the moment: the numbers.
std::vector<std::uint64_t> taken;

std::uint64_t started_after(const trace::Progress& progress, std::uint32_t number) {
  return (progress.requests - 1 - number) & number_mask;
}

// Ids of the program's communicators are 64 bits long, and those that a split makes have one in common; each
// rank has an MPI_COMM_SELF. The members of a communicator have nothing else that they all know and that no
// other one has.
constexpr std::uint32_t first_other_id = 1u << 30;

std::uint32_t id_in_recording(const Comm& comm, const Group& first) {
  if (comm.id == 0) return 0;
  const int of_first = first.world_rank(0);
  if (comm.id == 1) return 1 + static_cast<std::uint32_t>(of_first);
  std::uint64_t hash = static_cast<std::uint64_t>(comm.id) * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 32 ^ static_cast<std::uint64_t>(of_first)) * 0x9e3779b97f4a7c15u;
  return first_other_id | static_cast<std::uint32_t>(hash >> 32);
}

void append_members(const Group& group, std::vector<trace::ObjectIndex>& members) {
  for (int rank = 0; rank < group.size; ++rank)
    members.push_back(static_cast<trace::ObjectIndex>(group.world_rank(rank)));
}

}  // namespace

std::uint32_t recorded_id(Comm& comm) {
  if (comm.recorded.pe == own_pe) [[likely]]
    return comm.recorded.id;
  const bool swapped = comm.remote && !local_is_first(comm);
  const Group& first = swapped ? *comm.remote : *comm.group;
  comm.recorded = {id_in_recording(comm, first), own_pe};
  if (comm.recorded.id == 0) return 0;
  trace::Communicator told{.id = comm.recorded.id, .members = {}, .others = {}};
  append_members(first, told.members);
  if (comm.remote) append_members(swapped ? *comm.group : *comm.remote, told.others);
  trace::define(told);
  return comm.recorded.id;
}

void leave_unrecorded(Request& request) { RequestTable::mark_of(request) = 0; }

void record_start(Request& request) {
  const bool sends = request.kind == RequestKind::send;
  const int peer = sends ? request.sent.to : request.pattern.source;
  if (peer == MPI_PROC_NULL) return leave_unrecorded(request);
  Event event =
      sends ? event_of_send(request)
            : event_of(EventKind::receive, *request.comm, peer, request.pattern.tag, request.data.bytes);
  event.starts_request = true;
  trace::Stream& stream = stream_of(*request.owner);
  stream.end_burst(event, place_of(sends ? CallKind::start : CallKind::receive, peer, request.pattern.tag));
  number_request(request);
  stream.add(event);
}

void number_request(Request& request) {
  RequestTable::mark_of(request) = is_numbered | (request.owner->rank.recorded.requests++ & number_mask);
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
    ++stream.progress().requests;
    stream.add(event);
  }
}

void record_exchange_start(Request& request, const Request* in, const Request* out) {
  record_halves(*request.owner, in, out);
  const std::uint32_t last = (request.owner->rank.recorded.requests - 1) & number_mask;
  RequestTable::mark_of(request) = in && out   ? is_numbered | is_pair | last
                                   : in || out ? is_numbered | last
                                               : 0;
}

void RecordedExchange::enter(RankState& state, const Request* in, const Request* out) {
  record_halves(state, in, out);
  entry_ = stream_of(state).enter_reading();
}

void RecordedExchange::record(RankState& state, const Request& in) const {
  static constexpr std::uint64_t both[] = {1, 0};
  const std::size_t count = static_cast<std::size_t>(halves_[0]) + halves_[1];
  if (count == 0) return;
  const std::span<const std::uint64_t> list(both + 2 - count, count);
  trace::Stream& stream = stream_of(state);
  Event event;
  event.kind = EventKind::wait;
  event.list = list;
  stream.leave_reading(event, entry_);
  if (halves_[0] && is_wildcard(in.pattern)) stream.add(event_of_match(in, list[0]));
  stream.add(event);
}

void record_buffered_send(RankState& state, Comm& comm, int to, int tag, std::uint64_t bytes) {
  if (!trace::recording) return;
  Event event = event_of(EventKind::send, comm, to, tag, bytes);
  event.what = recorded_mode(SendMode::buffered);
  trace::Stream& stream = stream_of(state);
  stream.end_burst(event, place_of(CallKind::send, to, tag));
  stream.add(event);
}

void RecordedCall::enter(RankState& state, std::uint32_t place) { entry_ = stream_of(state).enter(place); }

void RecordedCall::record_message(const Request& message) const {
  Event event = message.kind == RequestKind::send
                    ? event_of_send(message)
                    : event_of(EventKind::receive, *message.comm, message.received.source,
                               message.received.tag, message.received.bytes);
  trace::Stream& stream = stream_of(*message.owner);
  stream.leave(event, entry_);
  stream.add(event);
}

void RecordedCall::note_taken(const Request& request) {
  const std::uint32_t mark = RequestTable::mark_of(request);
  if (!(mark & is_numbered)) return;
  trace::Stream& stream = stream_of(*request.owner);
  const std::uint64_t after = started_after(stream.progress(), mark & number_mask);
  const std::uint64_t of_receive = after + (mark & is_pair ? 1 : 0);
  if (request.cancelled) {
    Event event = event_of(EventKind::matched, *request.comm, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    event.list = {&of_receive, 1};
    stream.add(event);
  } else if (has_received(request) && is_wildcard(request.pattern))
    stream.add(event_of_match(request, of_receive));
  if (mark & is_pair) taken.push_back(of_receive);
  taken.push_back(after);
}

void RecordedCall::record_wait(RankState& state) const {
  if (taken.empty()) return;
  trace::Stream& stream = stream_of(state);
  Event event;
  event.kind = EventKind::wait;
  event.list = taken;
  stream.leave(event, entry_);
  stream.add(event);
  taken.clear();
}

void RecordedCall::record_probe(RankState& state, Comm& comm, const Envelope& message) const {
  Event event = event_of(EventKind::probe, comm, message.source, message.tag, message.bytes);
  trace::Stream& stream = stream_of(state);
  stream.leave(event, entry_);
  stream.add(event);
}

void RecordedTest::enter(RankState& state, CallKind kind) {
  entry_ = stream_of(state).enter_test(place_of(kind));
}
void RecordedTest::leave_out(RankState& state) const { stream_of(state).leave_out(entry_); }

void RecordedSync::enter(RankState& state) {
  entry_ = stream_of(state).enter_reading();
  at_s_ = net::job_seconds();
  bytes_in_use_ = state.rank.heap.bytes_in_use();
}

void RecordedSync::record(RankState& state) const {
  Event event;
  event.kind = EventKind::sync;
  event.bytes = bytes_in_use_;
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
