// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/formats/collectives.hpp"

#include <algorithm>

#include "lb/trace/kinds.hpp"
namespace skein::trace {

Collectives::Collectives(const Trace& trace, const Messages& messages) {
  const auto objects = static_cast<ObjectIndex>(trace.object_count());
  for (ObjectIndex object = 0; object < objects; ++object) {
    CollectiveCounter made;
    MpiStream events = messages.stream(object);
    while (const MpiStream::Step* const step = events.next())
      if (step->event->kind == EventKind::collective) add(trace, object, *step, made.count(*step->event));
    for (const auto& [id, calls] : calls_) {
      if (!calls.places.contains(object)) continue;
      for (const auto& [persistent, numbers] : calls.lines) {
        const CollectiveLine line{id, persistent};
        const auto found = made.counts().find(line);
        const std::uint64_t count = found == made.counts().end() ? 0 : found->second;
        if (count != numbers.size())
          throw TraceError("rank " + std::to_string(object) + " takes part in " + std::to_string(count) +
                           " collectives of " + text_of(line) + ", but rank " + std::to_string(calls.first) +
                           " in " + std::to_string(numbers.size()) + why_unlike(trace));
      }
    }
  }
}

Collectives::Of& Collectives::of(const Trace& trace, std::uint32_t communicator) {
  const auto found = calls_.find(communicator);
  if (found != calls_.end()) return found->second;
  Of& made = calls_[communicator];
  made.communicator = &trace.communicator(communicator);
  for (const auto* group : {&made.communicator->members, &made.communicator->others})
    for (const ObjectIndex member : *group) made.places.emplace(member, made.places.size());
  return made;
}

void Collectives::add(const Trace& trace, ObjectIndex object, const MpiStream::Step& step,
                      std::uint64_t count) {
  const Event& event = *step.event;
  Of& known = of(trace, event.communicator);
  const auto here = [&] { return place_of(trace, object, step.number); };
  const auto place = known.places.find(object);
  if (place == known.places.end())
    throw TraceError(here() + " is a collective of communicator " + std::to_string(event.communicator) +
                     ", of which the rank is no member: the trace is damaged");
  const auto kind = static_cast<Collective>(event.what);
  const bool is_inter = !known.communicator->others.empty();
  if (known.calls.empty()) known.first = object;
  std::vector<std::uint64_t>& numbers = known.lines[event.tag];
  if (count >= numbers.size()) {
    if (object != known.first)
      throw TraceError(here() + " is collective " + std::to_string(count) + " of " + text_of(line_of(event)) +
                       ", of which rank " + std::to_string(known.first) + " makes only " +
                       std::to_string(numbers.size()) + why_unlike(trace));
    CollectiveCall made;
    made.kind = kind;
    made.root = has_root(kind) ? event.partner : kAny;
    if (has_counts(kind)) made.member.resize(known.places.size());
    numbers.push_back(known.calls.size());
    known.calls.push_back(std::move(made));
  }
  CollectiveCall& call = known.calls[numbers[count]];
  if (is_inter && call.root == kAny && has_root(kind)) call.root = event.partner;
  if (call.kind != kind || (!is_inter && has_root(kind) && call.root != event.partner))
    throw TraceError(here() + " is " + std::string(name_of(kind)) + " with root " +
                     std::to_string(event.partner) + ", but rank " + std::to_string(known.first) + " has " +
                     std::string(name_of(call.kind)) + " with root " + std::to_string(call.root) +
                     " there: members must make the same calls");
  call.bytes = std::max(call.bytes, event.bytes);
  if (!has_counts(kind)) return;
  const auto [list, is_new] =
      list_index_.try_emplace(std::vector<std::uint64_t>(event.list.begin(), event.list.end()),
                              static_cast<std::uint32_t>(lists_.size()));
  if (is_new) lists_.push_back(list->first);
  call.member[place->second] = {event.bytes, list->second};
}

/// Members of a gather with counts record one number; a list has a number for each receiver.
std::uint64_t Collectives::bytes(const CollectiveCall& call, std::size_t from, std::size_t to) const {
  const CollectiveCall::MemberBytes& told = call.member[from];
  const std::span<const std::uint64_t> list = lists_[told.list];
  if (list.empty() || call.kind == Collective::allgatherv) return told.bytes;
  return to < list.size() ? list[to] : 0;
}

std::uint64_t Collectives::count(std::uint32_t communicator) const {
  const auto found = calls_.find(communicator);
  return found == calls_.end() ? 0 : found->second.calls.size();
}

std::size_t Collectives::place(std::uint32_t communicator, ObjectIndex object) const {
  return calls_.at(communicator).places.at(object);
}

}  // namespace skein::trace
