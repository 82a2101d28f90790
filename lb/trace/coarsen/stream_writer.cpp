// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/coarsen/stream_writer.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace skein::trace::coarse {

void StreamWriter::write(std::vector<Item> items) {
  const auto place = [](const Item& item) {
    return std::tuple(item.level, item.slot, item.order, item.index, !item.is_work,
                      item.is_work ? item.work.visit : 0);
  };
  std::stable_sort(items.begin(), items.end(),
                   [&](const Item& a, const Item& b) { return place(a) < place(b); });
  for (std::size_t k = 0; k < items.size();) {
    std::size_t end = k;  // the items from k that form one event
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
  be_in(kOutside);
  add({});
}

void StreamWriter::add(Event event) {
  const double part = work_.of(rank_, passed_);
  const auto left = [&](auto amount) {
    using Amount = decltype(amount);
    return part == 1 ? amount : static_cast<Amount>(std::llround(static_cast<double>(amount) * part));
  };
  event.burst_ns = left(pending_ns_);
  for (std::int64_t& count : pending_counts_) count = left(count);
  event.counters = pending_counts_;
  passed_ += event.kind == EventKind::sync;
  if (event.kind == EventKind::wait || event.kind == EventKind::sync || event.kind == EventKind::collective)
    event.call_ns = call_ns_;
  if (event.kind != EventKind::region_begin && event.kind != EventKind::region_end) call_ns_ = 0;
  if (event.starts_request) ++started_;
  builder_.add(rank_, event);
  pending_ns_ = 0;
  std::ranges::fill(pending_counts_, 0);
}

void StreamWriter::add_work(const Item& item) {
  const Work& work = item.work;
  const std::size_t counters = pending_counts_.size();
  const std::int64_t* const counts = work.counts == kNone ? nullptr : &parts_.counts[work.counts * counters];
  const bool counted =
      counts && std::any_of(counts, counts + counters, [](auto count) { return count != 0; });
  if (work.burst_ns == 0 && item.call_ns == 0 && !counted) return;
  be_in(work.visit);
  pending_ns_ += work.burst_ns;
  for (std::size_t k = 0; counts && k < counters; ++k) pending_counts_[k] += counts[k];
  call_ns_ = std::max(call_ns_, item.call_ns);
}

std::uint32_t StreamWriter::depth_of(std::uint32_t visit) const {
  std::uint32_t depth = 0;
  for (; visit != kOutside; visit = parts_.visits[visit].around) ++depth;
  return depth;
}

void StreamWriter::be_in(std::uint32_t visit) {
  std::uint32_t common = visit;
  std::uint32_t depth = depth_of(visit);
  for (std::uint32_t here = depth_of(visit_); common != visit_;) {
    if (depth >= here) {
      common = parts_.visits[common].around;
      --depth;
    } else {
      end();
      --here;
    }
  }
  begin(visit);
}

/// Begins the visits that lead from the present one to `visit`.
void StreamWriter::begin(std::uint32_t visit) {
  if (visit == visit_) return;
  begin(parts_.visits[visit].around);
  list_ = {parts_.visits[visit].name};
  add({.kind = EventKind::region_begin, .list = list_});
  visit_ = visit;
}

void StreamWriter::end() {
  list_ = {parts_.visits[visit_].name};
  add({.kind = EventKind::region_end, .list = list_});
  visit_ = parts_.visits[visit_].around;
}

void StreamWriter::write_wait(std::span<const Item> items) {
  list_.clear();
  for (const Item& item : items) list_.push_back(started_ - 1 - request_of_.at(item.index * 2 + item.order));
  std::sort(list_.begin(), list_.end());
  add({.kind = EventKind::wait, .list = list_});
}

void StreamWriter::write_sync(std::span<const Item> items) {
  Event event{.kind = EventKind::sync};
  for (const Item& item : items) event.bytes += item.bytes;
  add(event);
}

void StreamWriter::write_one(const Item& item) {
  if (item.is_work) return add_work(item);
  switch (item.slot) {
    case Slot::collective:
      return write_collective(parts_.calls[item.index]);
    case Slot::receive:
      return write_message(item.index, false);
    default:
      if (item.index & kKept)
        write_kept(item);
      else
        write_message(item.index, true);
  }
}

void StreamWriter::write_message(std::uint32_t index, bool is_send) {
  const Joined& message = messages_[index];
  request_of_[index * 2 + (is_send ? kOfSender : kOfReceiver)] = started_;
  add({.kind = is_send ? EventKind::send : EventKind::receive,
       .starts_request = true,
       .partner = static_cast<std::int32_t>(is_send ? message.all.to : message.all.from),
       .tag = message.tag,
       .bytes = message.all.bytes});
}

void StreamWriter::write_collective(const Call& call) {
  const Communicator& all = parts_.communicators[call.communicator];
  const auto place_in = [&](const std::vector<ObjectIndex>& group) {
    return static_cast<std::size_t>(std::ranges::find(group, rank_) - group.begin());
  };
  std::size_t place = place_in(all.members);
  if (place == all.members.size()) place += place_in(all.others);
  add({.kind = EventKind::collective,
       .what = static_cast<std::uint8_t>(call.kind),
       .communicator = call.communicator,
       .partner = call.root,
       .bytes = call.bytes[place],
       .list = call.lists[place]});
}

void StreamWriter::write_kept(const Item& item) {
  be_in(item.work.visit);
  add(parts_.events[item.index & ~kKept]);
}

}  // namespace skein::trace::coarse
