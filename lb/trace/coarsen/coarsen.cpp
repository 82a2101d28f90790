// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/coarsen.hpp"

#include "lb/trace/coarsen/join.hpp"
#include "lb/trace/coarsen/order.hpp"
#include "lb/trace/coarsen/stream_writer.hpp"

namespace skein::trace {
namespace {

using coarse::Item;
using coarse::Slot;

Header header_of(const Trace& trace, const CoarseMap& map) {
  Header header = trace.header();
  header.options += (header.options.empty() ? "" : " ") + std::string("(coarsened from ") +
                    std::to_string(trace.object_count()) + " to " + std::to_string(map.count) + " ranks)";
  header.labels.clear();
  const std::vector<PeIndex>& was_on = trace.header().placement;
  header.placement.assign(was_on.size() == trace.object_count() ? map.count : 0, 0);
  if (header.placement.empty()) return header;
  std::vector<bool> placed(map.count);
  for (std::size_t object = 0; object < was_on.size(); ++object) {
    PeIndex& pe = header.placement[map.coarse_of[object]];
    if (placed[map.coarse_of[object]] && pe != was_on[object]) {
      header.placement.clear();  // a block was on several PEs, so it has no single one
      break;
    }
    pe = was_on[object];
    placed[map.coarse_of[object]] = true;
  }
  return header;
}

Item item_of(coarse::Level level, Slot slot, std::uint32_t order, std::size_t index) {
  return {.level = level, .slot = slot, .order = order, .index = static_cast<std::uint32_t>(index)};
}

void place_messages(coarse::Parts& parts, const std::vector<coarse::Joined>& messages) {
  for (std::size_t k = 0; k < messages.size(); ++k) {
    const coarse::Crossing& all = messages[k].all;
    std::vector<Item>&from = parts.items[all.from], &to = parts.items[all.to];
    Item send = item_of(all.sent, Slot::post, all.order, k);
    from.push_back(send);
    send.is_work = true;
    for (std::uint32_t w = all.first_work; w != coarse::kNone; w = parts.sent_work[w].next) {
      send.work = parts.sent_work[w].work;
      from.push_back(send);
    }
    from.push_back(item_of(all.waited, Slot::wait, coarse::kOfSender, k));
    if (all.completed == coarse::kNever) continue;
    to.push_back(item_of(all.posted, Slot::receive, 0, k));
    to.push_back(item_of(all.completed, Slot::wait, coarse::kOfReceiver, k));
  }
}

void place_calls(coarse::Parts& parts) {
  for (std::size_t k = 0; k < parts.calls.size(); ++k) {
    const Communicator& all = parts.communicators[parts.calls[k].communicator];
    for (const auto* group : {&all.members, &all.others})
      for (const ObjectIndex member : *group)
        parts.items[member].push_back(
            item_of(parts.calls[k].level, Slot::collective, static_cast<std::uint32_t>(k), k));
  }
}

}  // namespace

Trace coarsen(const Trace& trace, const CoarseMap& map, const WorkLeft& work) {
  if (trace.header().native)
    throw TraceError(
        "this is the trace of a native program, whose elements have no ranks to be joined; make its array "
        "coarser and record anew");
  if (map.coarse_of.size() != trace.object_count())
    throw TraceError("the map is for " + std::to_string(map.coarse_of.size()) + " ranks, but the trace has " +
                     std::to_string(trace.object_count()));
  coarse::Parts parts = coarse::LogicalOrder(trace, map).play();
  const std::vector<coarse::Joined> messages = coarse::join_messages(parts);
  parts.calls = coarse::join_calls(std::move(parts.calls));
  place_messages(parts, messages);
  place_calls(parts);
  TraceBuilder builder(header_of(trace, map), map.count);
  for (const std::string& name : trace.names()) builder.name(name);
  for (const Communicator& one : parts.communicators)
    if (one.id != 0) builder.add(one);
  for (ObjectIndex rank = 0; rank < map.count; ++rank)
    coarse::StreamWriter(rank, parts, messages, work, trace.header().counters.size(), builder)
        .write(std::move(parts.items[rank]));
  return std::move(builder).finish();
}

}  // namespace skein::trace
