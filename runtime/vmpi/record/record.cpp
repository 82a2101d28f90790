// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/record/record.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/base/upcalls.hpp"
#include "runtime/move/rank_pages.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/trace/read_name.hpp"
#include "runtime/vmpi/comm/inter.hpp"
#include "runtime/vmpi/comm/topology.hpp"

namespace skein::vmpi {
namespace {

using trace::Event;
using trace::EventKey;
using trace::EventKind;

constexpr std::uint32_t is_numbered = Mark::is_numbered, has_several = Mark::has_several,
                        tells_more = Mark::tells_more, number_mask = Mark::number;

/// How many numbers a request has that has some.
std::uint32_t numbers_of(const Request& request, std::uint32_t mark) {
  if (!(mark & has_several)) return 1;
  return request.kind == RequestKind::collective ? static_cast<std::uint32_t>(request.messages) : 2;
}

std::uint8_t recorded_mode(SendMode mode) {
  constexpr trace::SendMode modes[] = {trace::SendMode::standard, trace::SendMode::buffered,
                                       trace::SendMode::synchronous, trace::SendMode::ready};
  return static_cast<std::uint8_t>(modes[static_cast<std::size_t>(mode)]);
}

/// Events of one key are alike but for their bytes and times, whatever the communicator's id in the trace.
EventKey key_of(EventKind kind, std::uint32_t variant, std::uint64_t first, std::uint64_t second) {
  return {static_cast<std::uint32_t>(kind) | variant << 8 | 1u << 31, first, second};
}
// Peers are less than 2^31. The odd shift keeps compilers from reading two members of a request, which were
// just written one by one, as one word: for that processors wait.
EventKey key_of(const Request& message, bool starts, int peer, int tag) {
  const bool sends = message.kind == RequestKind::send;
  return key_of(sends ? EventKind::send : EventKind::receive,
                (sends ? static_cast<std::uint32_t>(message.mode) << 1 : 0) | starts,
                static_cast<std::uint64_t>(message.comm->id),
                std::uint64_t{static_cast<std::uint32_t>(peer)} << 33 |
                    std::uint64_t{static_cast<std::uint32_t>(tag)} << 1);
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

void give_number(const Request& request, bool wild, trace::Stream& stream) {
  mark_of(request) = is_numbered | (wild ? tells_more : 0) | (stream.number_request() & number_mask);
}

/// `after`: how many requests were started after it.
Event event_of_match(const Request& receive, const std::uint64_t& after) {
  Event event = event_of(EventKind::matched, *receive.comm, receive.received.source, receive.received.tag,
                         receive.received.bytes);
  event.list = {&after, 1};
  return event;
}

// Ids of the program's communicators are 64 bits long, and those that a split makes have one in common; each
// rank has an MPI_COMM_SELF. The members of a communicator have nothing else that they all know and that no
// other one has.
constexpr std::uint32_t first_other_id = 1u << 30;

std::uint32_t hash_of(std::uint64_t id, int of_first) {
  std::uint64_t hash = id * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 32 ^ static_cast<std::uint64_t>(of_first)) * 0x9e3779b97f4a7c15u;
  return first_other_id | static_cast<std::uint32_t>(hash >> 32);
}

std::uint32_t id_in_recording(const Comm& comm, const Group& first) {
  if (comm.id == 0) return 0;
  const int of_first = first.world_rank(0);
  if (comm.id == 1) return 1 + static_cast<std::uint32_t>(of_first);
  return hash_of(static_cast<std::uint64_t>(comm.id), of_first);
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

namespace {

/// The id of a communicator of its own for some of the messages of `comm`. No communicator of the program's
/// has an id with one of the highest bits set.
std::uint32_t id_beside(Comm& comm, RecordedId& recorded, int bit) {
  if (recorded.pe == own_pe) return recorded.id;
  const bool swapped = comm.remote && !local_is_first(comm);
  const Group& first = swapped ? *comm.remote : *comm.group;
  recorded = {hash_of(static_cast<std::uint64_t>(comm.id) | std::uint64_t{1} << bit, first.world_rank(0)),
              own_pe};
  trace::Communicator told{.id = recorded.id, .members = {}, .others = {}};
  append_members(first, told.members);
  if (comm.remote) append_members(swapped ? *comm.group : *comm.remote, told.others);
  trace::define(told);
  return recorded.id;
}

}  // namespace

std::uint32_t recorded_neighbourhood(Comm& comm) { return id_beside(comm, comm.topology->recorded, 63); }

void record_partitioned(Request& request, trace::EventKind kind, int peer, int tag, std::uint64_t bytes) {
  Comm& comm = *request.comm;
  Event event = event_of(kind, comm, peer, tag, bytes);
  event.communicator = id_beside(comm, comm.recorded_partitioned, 62);
  event.starts_request = true;
  trace::Stream& stream = stream_of(*request.owner);
  stream.end_burst(event, place_of(CallKind::start, peer, tag));
  number_request(request);
  stream.add(event);
}

void leave_unrecorded(Request& request) { mark_of(request) = 0; }

void record_cancelled(Request& request) {
  std::uint32_t& mark = mark_of(request);
  if (mark & is_numbered) mark |= tells_more;
}

namespace {

int peer_to_start_with(const Request& request) {
  return request.kind == RequestKind::send ? request.sent.to : request.pattern.source;
}

[[gnu::noinline]] void record_start_anew(Request& request) {
  const int peer = peer_to_start_with(request), tag = request.pattern.tag;
  if (peer == MPI_PROC_NULL) return leave_unrecorded(request);
  stream_of(*request.owner).add(key_of(request, true, peer, tag), request.data.bytes, [&] {
    Event event = request.kind == RequestKind::send
                      ? event_of_send(request)
                      : event_of(EventKind::receive, *request.comm, peer, tag, request.data.bytes);
    event.starts_request = true;
    return event;
  });
  number_request(request);
}

// Compiled apart for sends and for receives, as the kind settles half of the key. Calls are the last thing
// done, so that it needs no frame.
template <RequestKind kind>
void record_start_of(Request& request) {
  if (request.kind != kind) __builtin_unreachable();
  trace::Stream* const stream = request.owner->rank.recorded.stream;
  if (!stream) [[unlikely]]
    return record_start_anew(request);
  trace::Place* const place = stream->repeats(
      key_of(request, true, peer_to_start_with(request), request.pattern.tag), request.data.bytes);
  if (!place) [[unlikely]]
    return record_start_anew(request);
  give_number(request, kind == RequestKind::receive && is_wildcard(request.pattern), *stream);
  stream->put_again(*place);
}

}  // namespace

// On the way of every message.
void record_start(Request& request) {
  return request.kind == RequestKind::send ? record_start_of<RequestKind::send>(request)
                                           : record_start_of<RequestKind::receive>(request);
}

void number_messages(Request& request, int messages) {
  const std::uint32_t last = (stream_of(*request.owner).requests() - 1) & number_mask;
  request.messages = messages;
  mark_of(request) = messages == 0   ? 0
                     : messages == 1 ? is_numbered | last
                                     : is_numbered | has_several | last;
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
  const std::uint32_t last = (stream_of(*request.owner).requests() - 1) & number_mask;
  const std::uint32_t wild = in && is_wildcard(in->pattern) ? tells_more : 0;
  mark_of(request) = in && out   ? is_numbered | has_several | wild | last
                     : in || out ? is_numbered | wild | last
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

namespace {

/// The numbers that a Wait or Test takes which are no run. One list is enough: no other rank runs meanwhile.
std::vector<std::uint32_t> listed_numbers;

/// How many requests were started after each of those, up to `last`: as numbers of one byte in one key, if
/// that says it.
std::optional<EventKey> key_of_listed(std::uint32_t last) {
  if (listed_numbers.size() > 16) return std::nullopt;
  std::uint32_t all = 0;
  std::uint64_t words[2] = {};
  for (std::size_t k = 0; k < listed_numbers.size(); ++k) {
    const std::uint32_t after = (last - listed_numbers[k]) & number_mask;
    all |= after;
    words[k / 8] = words[k / 8] << 8 | after;
  }
  if (all >= 256) return std::nullopt;
  return key_of(EventKind::wait, static_cast<std::uint32_t>(listed_numbers.size()), words[0], words[1]);
}

template <class AfterNumber>
Event event_of_wait(std::size_t count, const AfterNumber& after) {
  static std::vector<std::uint64_t> list;
  list.clear();
  for (std::size_t k = 0; k < count; ++k) list.push_back(after(k));
  Event event;
  event.kind = EventKind::wait;
  event.list = list;
  return event;
}

}  // namespace

void RecordedCall::record_message(const Request& message) const {
  const bool sends = message.kind == RequestKind::send;
  const int peer = sends ? message.sent.to : message.received.source;
  const int tag = sends ? message.pattern.tag : message.received.tag;
  const std::uint64_t bytes = sends ? message.data.bytes : message.received.bytes;
  stream_of(*message.owner).add(key_of(message, false, peer, tag), bytes, entry_, [&] {
    return sends ? event_of_send(message) : event_of(EventKind::receive, *message.comm, peer, tag, bytes);
  });
}

void RecordedCall::take_another(std::uint32_t number) {
  if (taken_.take(is_numbered | number)) return;
  if (taken_.are_run()) {
    listed_numbers.clear();
    for (std::uint32_t k = 0; k < taken_.count(); ++k) listed_numbers.push_back(taken_.first_number() + k);
    taken_.end_run();
  }
  listed_numbers.push_back(number);
}

void RecordedCall::note_other(const Request& request, std::uint32_t mark) {
  if (!(mark & is_numbered)) return;
  if (mark & (has_several | tells_more)) note_special(request, mark);
  take_another(mark & number_mask);
}

void RecordedCall::note_special(const Request& request, std::uint32_t mark) {
  trace::Stream& stream = stream_of(*request.owner);
  const std::uint32_t numbers = numbers_of(request, mark);
  const std::uint32_t earliest = ((mark & number_mask) - (numbers - 1)) & number_mask;  // a pair's receive
  const std::uint64_t after = (stream.requests() - 1 - earliest) & number_mask;
  if (request.cancelled) {
    Event event = event_of(EventKind::matched, *request.comm, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    event.list = {&after, 1};
    stream.add(event);
  } else if (mark & tells_more) {
    stream.add(event_of_match(request, after));
  }
  for (std::uint32_t i = 0; i + 1 < numbers; ++i) take_another((earliest + i) & number_mask);
}

void RecordedCall::record_wait(RankState& state) const {
  if (taken_.empty()) return;
  trace::Stream& stream = stream_of(state);
  if (!taken_.are_run()) return record_listed(stream);
  const std::uint32_t after = (stream.requests() - 1 - taken_.first_number()) & number_mask;
  const EventKey key = key_of(EventKind::wait, 0, after, taken_.count());
  if (!stream.put_call_again(key, entry_)) [[unlikely]]
    record_run(stream, key);
}

void RecordedCall::record_run(trace::Stream& stream, const EventKey& key) const {
  stream.add(key, 0, entry_,
             [&] { return event_of_wait(key.second, [&](std::size_t k) { return key.first - k; }); });
}

void RecordedCall::record_listed(trace::Stream& stream) const {
  const std::uint32_t last = stream.requests() - 1;
  const auto make = [&] {
    return event_of_wait(listed_numbers.size(),
                         [&](std::size_t k) { return (last - listed_numbers[k]) & number_mask; });
  };
  if (const std::optional<EventKey> key = key_of_listed(last)) return stream.add(*key, 0, entry_, make);
  Event event = make();
  stream.leave(event, entry_, place_of(CallKind::wait, static_cast<int>(listed_numbers.size())));
  stream.add(event);
}

void RecordedCall::record_probe(RankState& state, Comm& comm, const Envelope& message) const {
  Event event = event_of(EventKind::probe, comm, message.source, message.tag, message.bytes);
  trace::Stream& stream = stream_of(state);
  stream.leave(event, entry_, place_of(CallKind::probe, message.source, message.tag));
  stream.add(event);
}

void RecordedTest::leave_out(RankState& state) const { stream_of(state).leave_out(entry_); }

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
