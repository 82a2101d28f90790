// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/coarsen.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "lb/trace/coarsen/join.hpp"
#include "lb/trace/coarsen/order.hpp"

namespace skein::trace {
namespace {

using coarse::Item;
using coarse::Slot;

// Of the two requests of a message; Item::order of a wait.
constexpr std::uint32_t kOfReceiver = 0, kOfSender = 1;

Header header_of(const Trace& trace, const CoarseMap& map) {
  Header header = trace.header();
  header.options += (header.options.empty() ? "" : " ") + std::string("(coarsened from ") +
                    std::to_string(trace.object_count()) + " to " + std::to_string(map.count) + " ranks)";
  header.counters.clear();
  header.labels.clear();
  header.placement.clear();
  if (trace.header().placement.size() != trace.object_count()) return header;
  header.placement.resize(map.count);
  for (std::size_t object = trace.object_count(); object-- > 0;)
    header.placement[map.coarse_of[object]] = trace.header().placement[object];
  return header;
}

// Writes the stream of one coarse rank.
class StreamWriter {
 public:
  StreamWriter(ObjectIndex rank, const coarse::Parts& parts, const std::vector<coarse::Joined>& messages,
               const WorkLeft& work, TraceBuilder& builder)
      : rank_(rank), parts_(parts), messages_(messages), work_(work), builder_(builder) {}

  void write(std::vector<Item> items) {
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
      return std::tuple(a.level, a.slot, a.order, a.index) < std::tuple(b.level, b.slot, b.order, b.index);
    });
    for (std::size_t k = 0; k < items.size();) {
      std::size_t end = k;  // items that are one event
      while (end < items.size() && items[end].level == items[k].level && items[end].slot == items[k].slot)
        ++end;
      const std::span<const Item> same = std::span(items).subspan(k, end - k);
      switch (same[0].slot) {
        case Slot::wait:
          write_wait(same);
          break;
        case Slot::sync:
          write_sync(same);
          break;
        default:
          for (const Item& item : same) write_one(item);
      }
      k = end;
    }
    add({});
  }

 private:
  void add(Event event) {
    event.burst_ns += pending_ns_;
    if (const double part = work_.of(rank_, passed_); part != 1)
      event.burst_ns = static_cast<std::uint64_t>(std::llround(static_cast<double>(event.burst_ns) * part));
    passed_ += event.kind == EventKind::sync;
    if (event.kind == EventKind::wait || event.kind == EventKind::sync || event.kind == EventKind::collective)
      event.call_ns = call_ns_;
    pending_ns_ = call_ns_ = 0;
    if (event.starts_request) ++started_;
    builder_.add(rank_, event);
  }

  void write_wait(std::span<const Item> items) {
    list_.clear();
    for (const Item& item : items)
      list_.push_back(started_ - 1 - request_of_.at(item.index * 2 + item.order));
    std::sort(list_.begin(), list_.end());
    Event event;
    event.kind = EventKind::wait;
    event.list = list_;
    add(event);
  }

  void write_sync(std::span<const Item> items) {
    Event event;
    event.kind = EventKind::sync;
    for (const Item& item : items) event.bytes += item.bytes;
    add(event);
  }

  void write_one(const Item& item) {
    switch (item.slot) {
      case Slot::collective:
        write_collective(parts_.calls[item.index]);
        return;
      case Slot::receive:
        write_message(item.index, false);
        return;
      case Slot::post:
        if (item.index & coarse::kKept)
          write_kept(item);
        else
          write_message(item.index, true);
        return;
      default:
        pending_ns_ += item.burst_ns;
        call_ns_ = std::max(call_ns_, item.call_ns);
    }
  }

  void write_message(std::uint32_t index, bool is_send) {
    const coarse::Joined& message = messages_[index];
    Event event;
    event.kind = is_send ? EventKind::send : EventKind::receive;
    event.starts_request = true;
    event.partner = static_cast<std::int32_t>(is_send ? message.all.to : message.all.from);
    event.tag = message.tag;
    event.bytes = message.all.bytes;
    if (is_send) event.burst_ns = message.all.burst_ns;
    request_of_[index * 2 + (is_send ? kOfSender : kOfReceiver)] = started_;
    add(event);
  }

  void write_collective(const coarse::Call& call) {
    const Communicator& all = parts_.communicators[call.communicator];
    const auto found = std::find(all.members.begin(), all.members.end(), rank_);
    const std::size_t place =
        found != all.members.end()
            ? static_cast<std::size_t>(found - all.members.begin())
            : all.members.size() +
                  static_cast<std::size_t>(std::find(all.others.begin(), all.others.end(), rank_) -
                                           all.others.begin());
    Event event;
    event.kind = EventKind::collective;
    event.what = static_cast<std::uint8_t>(call.kind);
    event.communicator = call.communicator;
    event.partner = call.root;
    event.bytes = call.bytes[place];
    event.list = call.lists[place];
    add(event);
  }

  void write_kept(const Item& item) {
    Event event = parts_.events[item.index & ~coarse::kKept];
    event.burst_ns = item.burst_ns;
    if (event.kind == EventKind::region_begin || event.kind == EventKind::region_end) {
      list_ = {event.serial};
      event.serial = 0;
      event.list = list_;
    }
    add(event);
  }

  const ObjectIndex rank_;
  const coarse::Parts& parts_;
  const std::vector<coarse::Joined>& messages_;
  const WorkLeft& work_;
  TraceBuilder& builder_;
  std::uint64_t started_ = 0;  // requests
  std::uint64_t passed_ = 0;   // sync points
  std::uint64_t pending_ns_ = 0, call_ns_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> request_of_;  // twice the message, and whose
  std::vector<std::uint64_t> list_;
};

Item item_of(coarse::Level level, Slot slot, std::uint32_t order, std::size_t index) {
  Item item;
  item.level = level;
  item.slot = slot;
  item.order = order;
  item.index = static_cast<std::uint32_t>(index);
  return item;
}

void place_messages(coarse::Parts& parts, const std::vector<coarse::Joined>& messages) {
  for (std::size_t k = 0; k < messages.size(); ++k) {
    const coarse::Crossing& all = messages[k].all;
    std::vector<Item>&from = parts.items[all.from], &to = parts.items[all.to];
    from.push_back(item_of(all.sent, Slot::post, all.order, k));
    from.push_back(item_of(all.waited, Slot::wait, kOfSender, k));
    if (all.completed == coarse::never) continue;
    to.push_back(item_of(all.posted, Slot::receive, 0, k));
    to.push_back(item_of(all.completed, Slot::wait, kOfReceiver, k));
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
        "this is the trace of a native program, whose elements have no ranks to be joined; make its "
        "array coarser and record anew");
  if (map.coarse_of.size() != trace.object_count())
    throw TraceError("the map is for " + std::to_string(map.coarse_of.size()) + " ranks, but the trace has " +
                     std::to_string(trace.object_count()));
  coarse::Parts parts = coarse::LogicalOrder(trace, map).play();
  const std::vector<coarse::Joined> messages = coarse::join_messages(std::move(parts.crossings));
  parts.calls = coarse::join_calls(std::move(parts.calls));
  place_messages(parts, messages);
  place_calls(parts);
  TraceBuilder builder(header_of(trace, map), map.count);
  for (const std::string& name : trace.names()) builder.name(name);
  for (const Communicator& one : parts.communicators)
    if (one.id != 0) builder.add(one);
  for (ObjectIndex rank = 0; rank < map.count; ++rank)
    StreamWriter(rank, parts, messages, work, builder).write(std::move(parts.items[rank]));
  return std::move(builder).finish();
}

}  // namespace skein::trace
