// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/formats/messages.hpp"

#include <algorithm>
#include <map>
#include "lb/trace/kinds.hpp"

namespace skein::trace {
namespace {

bool wants_any(const Event& event) { return event.partner == kAny || event.tag == kAny; }

Channel channel_of(const Event& event, ObjectIndex object, std::int32_t partner, std::int32_t tag) {
  const auto other = static_cast<ObjectIndex>(partner);
  const bool sends = event.kind == EventKind::send;
  return {sends ? object : other, sends ? other : object, event.communicator, tag};
}

}  // namespace

std::string why_unlike(const Trace& trace) {
  return trace.complete() ? ""
                          : ": the recorded run was cut short, and such a trace cannot be played to its end";
}

std::string place_of(const Trace& trace, ObjectIndex object, std::uint64_t event) {
  return std::string(trace.header().native ? "object " : "rank ") + std::to_string(object) + ", event " +
         std::to_string(event);
}

Receives find_receives(const Trace& trace, ObjectIndex object) {
  Receives found;
  std::map<std::uint64_t, bool> posted;  // receives without a result yet; true: of any source or tag
  std::uint64_t started = 0, number = 0;
  const auto request_of = [&](std::uint64_t back) {
    if (back >= started)
      throw TraceError(place_of(trace, object, number) + " is about the request started " +
                       std::to_string(back) + " before the last one, but only " + std::to_string(started) +
                       " were started: the trace is damaged");
    return started - 1 - back;
  };
  Cursor cursor = trace.events(object);
  for (; const Event* const event = cursor.next(); ++number) {
    if (event->kind == EventKind::matched) {
      const std::uint64_t request = request_of(event->list.empty() ? started : event->list[0]);
      if (is_cancel(*event)) {
        found.without.push_back(request);
        posted.erase(request);
        continue;
      }
      const auto of = posted.find(request);
      if (of == posted.end())
        throw TraceError(place_of(trace, object, number) +
                         " says what a receive took, but there is no such receive: the trace is damaged");
      found.matched.push_back({request, event->partner, event->tag, event->bytes});
      posted.erase(of);
    } else if (event->kind == EventKind::wait) {
      for (const std::uint64_t back : event->list) {
        const auto of = posted.find(request_of(back));
        if (of == posted.end()) continue;
        if (of->second) found.without.push_back(of->first);
        posted.erase(of);
      }
    }
    if (!event->starts_request) continue;
    if (event->kind == EventKind::receive) posted.emplace(started, wants_any(*event));
    ++started;
  }
  for (const auto& [request, wanted_any] : posted) found.without.push_back(request);
  std::ranges::sort(found.matched, {}, &Receives::MatchedRequest::request);
  std::ranges::sort(found.without);
  return found;
}

MpiStream::MpiStream(const Trace& trace, ObjectIndex object, const Receives& receives)
    : cursor_(trace.events(object)), object_(object), receives_(receives) {}

const MpiStream::Step* MpiStream::next() {
  step_.burst_ns = 0;
  const Event* event;
  do {
    event = cursor_.next();
    if (!event) return nullptr;
    ++events_;
    step_.burst_ns += event->burst_ns;
  } while (event->kind == EventKind::matched);
  step_.event = event;
  step_.number = events_ - 1;
  step_.channel.reset();
  step_.bytes = event->bytes;
  step_.requests.clear();
  step_.request = started_;
  if (event->kind == EventKind::wait) {
    for (const std::uint64_t back : event->list) step_.requests.push_back(started_ - 1 - back);
    return &step_;
  }
  started_ += event->starts_request;
  if (event->starts_request && next_without_ < receives_.without.size() &&
      receives_.without[next_without_] == step_.request) {
    ++next_without_;
    return &step_;
  }
  if (event->kind == EventKind::send) {
    step_.channel = channel_of(*event, object_, event->partner, event->tag);
  } else if (event->kind == EventKind::receive) {
    std::int32_t partner = event->partner, tag = event->tag;
    if (event->starts_request) {
      if (next_matched_ < receives_.matched.size() &&
          receives_.matched[next_matched_].request == step_.request) {
        const Receives::MatchedRequest& matched = receives_.matched[next_matched_++];
        partner = matched.partner;
        tag = matched.tag;
        step_.bytes = matched.bytes;
      }
    }
    step_.channel = channel_of(*event, object_, partner, tag);
  }
  return &step_;
}

Messages::Messages(const Trace& trace) : trace_(trace) {
  const auto objects = static_cast<ObjectIndex>(trace.object_count());
  receives_.resize(objects);
  for (ObjectIndex object = 0; object < objects; ++object) {
    receives_[object] = find_receives(trace, object);
    MpiStream events = stream(object);
    while (const MpiStream::Step* const step = events.next()) {
      if (!step->channel) continue;
      const Channel& channel = *step->channel;
      if (channel.sender >= objects || channel.receiver >= objects)
        throw TraceError(place_of(trace, object, step->number) + " is a message between " +
                         std::to_string(channel.sender) + " and " + std::to_string(channel.receiver) +
                         ", but there are " + std::to_string(objects) + " ranks");
      const auto [found, is_new] = index_.try_emplace(channel, static_cast<std::uint32_t>(channels_.size()));
      if (is_new) channels_.push_back({channel});
      Count& count = channels_[found->second];
      ++(step->event->kind == EventKind::send ? count.sends : count.receives);
    }
  }
}

void check_received(const Trace& trace, const Messages& messages) {
  for (const auto& [channel, sends, receives] : messages.channels()) {
    if (receives <= sends) continue;
    throw TraceError("rank " + std::to_string(channel.receiver) + " receives " + std::to_string(receives) +
                     " messages with tag " + std::to_string(channel.tag) + " of communicator " +
                     std::to_string(channel.communicator) + " from rank " + std::to_string(channel.sender) +
                     ", which sends " + std::to_string(sends) + why_unlike(trace));
  }
}

Message MessageCounter::count(const Channel& channel, bool is_send) {
  const std::uint32_t index = messages_.index(channel);
  return {index, next_[std::uint64_t{index} << 1 | is_send]++};
}

}  // namespace skein::trace
