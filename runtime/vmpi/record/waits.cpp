// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/record/waits.hpp"

#include <optional>
#include <span>
#include <vector>

#include "runtime/vmpi/record/events.hpp"

namespace skein::vmpi {
namespace {

/// Returns the number of a request's numbers, if it has some.
std::uint32_t numbers_of(const Request& request, std::uint32_t mark) {
  if (!(mark & Mark::has_several)) return 1;
  return request.kind == RequestKind::collective ? static_cast<std::uint32_t>(request.messages) : 2;
}

/// One list of each kind is enough, as no other rank runs meanwhile.
struct Lists {
  std::vector<std::uint32_t> taken;  // numbers that a Wait or Test takes and that are no run
  std::vector<std::uint64_t> of_event;
};
Lists lists;

/// Returns a key with the number of requests that were started after each of the listed ones, up to `last`,
/// if each fits in one byte.
std::optional<EventKey> key_of_listed(std::uint32_t last) {
  if (lists.taken.size() > 16) return std::nullopt;
  std::uint32_t all = 0;
  std::uint64_t words[2] = {};
  for (std::size_t k = 0; k < lists.taken.size(); ++k) {
    const std::uint32_t after = (last - lists.taken[k]) & Mark::number;
    all |= after;
    words[k / 8] = words[k / 8] << 8 | after;
  }
  if (all >= 256) return std::nullopt;
  return key_of(EventKind::wait, static_cast<std::uint32_t>(lists.taken.size()), words[0], words[1]);
}

template <class AfterNumber>
Event event_of_wait(std::size_t count, const AfterNumber& after) {
  const std::span<std::uint64_t> list = list_of_event(count);
  for (std::size_t k = 0; k < count; ++k) list[k] = after(k);
  Event event;
  event.kind = EventKind::wait;
  event.list = list;
  return event;
}

/// Returns the event that ends a request after which `after` others were started.
Event event_of_end(const Request& request, const std::uint64_t& after) {
  if (!was_cancelled(request)) return event_of_match(request, after);
  Event event = event_of(EventKind::matched, *request.comm, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
  event.list = {&after, 1};
  return event;
}

}  // namespace

std::span<std::uint64_t> list_of_event(std::size_t count) {
  lists.of_event.resize(count);
  return lists.of_event;
}

void record_freed(const Request& request) {
  // Operations other than messages end where they can be freed: the program knows the end, as from a test.
  if (request.kind > RequestKind::receive) {
    RecordedCall call(*request.owner);
    call.takes(request);
    return call.took_all(*request.owner);
  }
  // The start of a send records all about it. Nothing is recorded of a rank after its end.
  if (!(has_received(request) || was_cancelled(request)) || request.owner->rank.done) return;
  const std::uint32_t mark = mark_of(request);
  if (!(mark & Mark::is_numbered)) return;
  const fiber::RuntimeScope runtime;
  trace::Stream& stream = stream_of(*request.owner);
  const std::uint64_t after = (stream.requests() - 1 - mark) & Mark::number;
  stream.add(event_of_end(request, after));
}

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
  if (taken_.take(Mark::is_numbered | number)) return;
  if (taken_.are_run()) {
    lists.taken.clear();
    for (std::uint32_t k = 0; k < taken_.count(); ++k) lists.taken.push_back(taken_.first_number() + k);
    taken_.end_run();
  }
  lists.taken.push_back(number);
}

trace::Entry RecordedWait::enter_anew(RankState& state) {
  const fiber::RuntimeScope runtime;
  return stream_of(state).enter();
}

RecordedCall RecordedWait::goes_on(Request* const* requests, int count) const {
  const fiber::RuntimeScope runtime;
  RecordedCall call;
  call.enter(entry_);
  for (int i = 0; i < count; ++i) call.note_taken(*requests[i]);
  return call;
}

void RecordedWait::took_others(RankState& state, Request* const* requests, int count) const {
  const fiber::RuntimeScope runtime;
  goes_on(requests, count).record_wait(state);
}

void RecordedCall::note_other(const Request& request, std::uint32_t mark) {
  if (!(mark & Mark::is_numbered)) return;
  if (mark & (Mark::has_several | Mark::tells_more)) note_special(request, mark);
  take_another(mark & Mark::number);
}

void RecordedCall::note_special(const Request& request, std::uint32_t mark) {
  trace::Stream& stream = stream_of(*request.owner);
  const std::uint32_t numbers = numbers_of(request, mark);
  // The receive of a pair.
  const std::uint32_t earliest = ((mark & Mark::number) - (numbers - 1)) & Mark::number;
  const std::uint64_t after = (stream.requests() - 1 - earliest) & Mark::number;
  if (was_cancelled(request) || (mark & Mark::tells_more)) stream.add(event_of_end(request, after));
  for (std::uint32_t i = 0; i + 1 < numbers; ++i) take_another((earliest + i) & Mark::number);
}

void RecordedCall::record_wait(RankState& state) const {
  if (taken_.empty()) return;
  trace::Stream& stream = stream_of(state);
  if (!taken_.are_run()) return record_listed(stream);
  const std::uint32_t after = (stream.requests() - 1 - taken_.first_number()) & Mark::number;
  if (!stream.put_call_again(RecordedWait::token_of_run(after, taken_.count()), entry_)) [[unlikely]]
    return record_run(stream, after);
  if (stream.must_look()) [[unlikely]]
    stream.look();
}

void RecordedCall::record_run(trace::Stream& stream, std::uint32_t after) const {
  const std::uint32_t count = taken_.count();
  stream.add(key_of(EventKind::wait, 0, after, count), 0, entry_,
             [&] { return event_of_wait(count, [&](std::size_t k) { return after - k; }); });
  const std::uint32_t token = RecordedWait::token_of_run(after, count);
  if (token != trace::Stream::no_token) stream.call_last(token);
}

void RecordedCall::record_listed(trace::Stream& stream) const {
  const std::uint32_t last = stream.requests() - 1;
  const auto make = [&] {
    return event_of_wait(lists.taken.size(),
                         [&](std::size_t k) { return (last - lists.taken[k]) & Mark::number; });
  };
  if (const std::optional<EventKey> key = key_of_listed(last)) return stream.add(*key, 0, entry_, make);
  Event event = make();
  stream.leave(event, entry_, place_of(CallKind::wait, static_cast<int>(lists.taken.size())));
  stream.add(event);
}

void RecordedCall::record_probe(RankState& state, Comm& comm, const Envelope& message) const {
  Event event = event_of(EventKind::probe, comm, message.source, message.tag, message.bytes);
  trace::Stream& stream = stream_of(state);
  stream.leave(event, entry_, place_of(CallKind::probe, message.source, message.tag));
  stream.add(event);
}

void RecordedTest::leave_out(RankState& state) const { stream_of(state).leave_out(entry_); }

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

}  // namespace skein::vmpi
