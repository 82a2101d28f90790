// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/coarsen/order.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace skein::trace::coarse {

LogicalOrder::LogicalOrder(const Trace& trace, const CoarseMap& map)
    : trace_(trace), map_(map), collectives_(trace, map, parts_) {
  parts_.items.resize(map.count);
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    walkers_.push_back({.object = object,
                        .coarse = map.coarse_of[object],
                        .cursor = trace.events(object),
                        .late = late_receives(trace, object)});
    Walker& walker = walkers_.back();
    walker.event = walker.cursor.next();
    if (syncs_.size() < walker.late.syncs) syncs_.resize(walker.late.syncs);
    for (std::uint64_t k = 0; k < walker.late.syncs; ++k) ++syncs_[k].missing;
  }
}

Parts LogicalOrder::play() {
  for (bool any_moved = true; any_moved;) {
    any_moved = false;
    for (Walker& walker : walkers_)
      while (walker.event && step(walker)) {
        any_moved = true;
        walker.entered = false;
        walker.event = walker.cursor.next();
        ++walker.number;
      }
  }
  for (const Walker& walker : walkers_)
    if (walker.event) fail();
  for (const Request& request : freed_)
    if (ready(request)) complete(request, std::max(request.level, level_of(request)));
  return std::move(parts_);
}

void LogicalOrder::fail() const {
  for (const Walker& walker : walkers_)
    if (walker.event)
      throw TraceError("object " + std::to_string(walker.object) + ", event " +
                       std::to_string(walker.number) + ": waits for ever" +
                       (trace_.complete() ? "" : ", as the trace is cut short") +
                       "; `skein trace check` tells what is missing");
  throw TraceError("nobody waits");
}

bool LogicalOrder::step(Walker& walker) {
  const Event& event = *walker.event;
  switch (event.kind) {
    case EventKind::send:
      send(walker);
      return true;
    case EventKind::receive:
      return receive(walker);
    case EventKind::wait:
      return wait(walker);
    case EventKind::collective:
      return collective(walker);
    case EventKind::sync:
      return sync(walker);
    case EventKind::file:
    case EventKind::sleep:
      keep(walker);
      return true;
    case EventKind::region_begin:
    case EventKind::region_end:
      region(walker);
      return true;
    // Other events tell who takes part; the work goes to the next event.
    case EventKind::matched:
    case EventKind::probe:
      carry(walker);
      return true;
    default:
      add_time(walker, walker.level, Slot::before_posts);
      return true;
  }
}

std::uint32_t LogicalOrder::counts_of(const Event& event) {
  const std::size_t counters = trace_.header().counters.size();
  if (counters == 0 || event.counters.size() != counters) return kNone;
  parts_.counts.insert(parts_.counts.end(), event.counters.begin(), event.counters.end());
  return static_cast<std::uint32_t>(parts_.counts.size() / counters - 1);
}

void LogicalOrder::add_to(Work& sum, const Work& work) {
  sum.burst_ns += work.burst_ns;
  if (work.counts == kNone) return;
  if (sum.counts == kNone) {
    sum.counts = work.counts;
    return;
  }
  const std::size_t counters = trace_.header().counters.size();
  for (std::size_t k = 0; k < counters; ++k)
    parts_.counts[sum.counts * counters + k] += parts_.counts[work.counts * counters + k];
}

void LogicalOrder::carry(Walker& walker) {
  const Work work{walker.event->burst_ns, walker.inside.back().visit, counts_of(*walker.event)};
  if (!walker.carried.empty() && walker.carried.back().visit == work.visit)
    add_to(walker.carried.back(), work);
  else
    walker.carried.push_back(work);
}

void LogicalOrder::add_time(Walker& walker, Level level, Slot slot) {
  carry(walker);
  std::vector<Item>& items = parts_.items[walker.coarse];
  for (const Work& work : walker.carried) {
    const bool goes_on = !items.empty() && items.back().level == level && items.back().slot == slot &&
                         items.back().work.visit == work.visit;
    if (goes_on)
      add_to(items.back().work, work);
    else
      items.push_back({.level = level, .slot = slot, .is_work = true, .work = work});
  }
  items.back().call_ns = std::max(items.back().call_ns, walker.event->call_ns);
  walker.carried.clear();
}

void LogicalOrder::raise(Walker& walker, Level level) {
  if (level > walker.level) walker.order = 0;
  walker.level = std::max(walker.level, level);
}

void LogicalOrder::start(Walker& walker, Request request) {
  walker.requests.push_back(request);
  ++walker.started;
}

LogicalOrder::Request* LogicalOrder::find(Walker& walker, std::uint64_t back) {
  return back < walker.requests.size() ? &walker.requests[walker.requests.size() - 1 - back] : nullptr;
}

void LogicalOrder::send(Walker& walker) {
  const Event& event = *walker.event;
  const ObjectIndex to = static_cast<ObjectIndex>(event.partner);
  Request request;
  request.kind = Request::Kind::send;
  const bool cancelled = event.starts_request && walker.late.cancelled_sends.contains(walker.started);
  if (cancelled || event.partner == kAny || map_.coarse_of[to] == walker.coarse) {
    add_time(walker, walker.level, Slot::before_posts);
  } else {
    request.crossing = static_cast<std::uint32_t>(parts_.crossings.size());
    Crossing crossing{.from = walker.coarse,
                      .to = map_.coarse_of[to],
                      .sent = walker.level,
                      .waited = walker.level,
                      .order = walker.order,
                      .bytes = event.bytes};
    carry(walker);
    crossing.first_work = static_cast<std::uint32_t>(parts_.sent_work.size());
    for (const Work& work : walker.carried)
      parts_.sent_work.push_back({work, static_cast<std::uint32_t>(parts_.sent_work.size() + 1)});
    parts_.sent_work.back().next = kNone;
    crossing.last_work = static_cast<std::uint32_t>(parts_.sent_work.size() - 1);
    walker.carried.clear();
    parts_.crossings.push_back(crossing);
  }
  ++walker.order;
  if (event.partner != kAny && !cancelled)
    channels_[{walker.object, to, event.communicator, event.tag}].sent.push_back(
        {walker.level, request.crossing});
  if (event.starts_request) start(walker, request);
}

LogicalOrder::Request LogicalOrder::start_receive(Walker& walker, std::int32_t partner, std::int32_t tag) {
  Request request;
  request.level = walker.level;
  if (partner == kAny || tag == kAny) return request;
  request.kind = Request::Kind::receive;
  request.messages =
      &channels_[{static_cast<ObjectIndex>(partner), walker.object, walker.event->communicator, tag}];
  request.number = request.messages->wanted++;
  return request;
}

bool LogicalOrder::receive(Walker& walker) {
  const Event& event = *walker.event;
  if (event.starts_request) {
    const auto late = walker.late.got.find(walker.started);
    const bool known = late == walker.late.got.end();
    Request request = known                   ? start_receive(walker, event.partner, event.tag)
                      : late->second.anything ? start_receive(walker, late->second.partner, late->second.tag)
                                              : Request();
    if (!known && late->second.freed) freed_.push_back(std::exchange(request, Request()));
    start(walker, request);
    add_time(walker, walker.level, Slot::before_posts);
    ++walker.order;
    return true;
  }
  if (!walker.entered) walker.current = start_receive(walker, event.partner, event.tag);
  walker.entered = true;
  if (!ready(walker.current)) return false;
  const Level level = std::max(walker.level, level_of(walker.current));
  complete(walker.current, level);
  add_time(walker, level, Slot::before_wait);
  raise(walker, level);
  return true;
}

bool LogicalOrder::ready(const Request& request) const {
  switch (request.kind) {
    case Request::Kind::receive:
      return request.number < request.messages->sent.size();
    case Request::Kind::collective:
      return request.collective->missing == 0;
    default:
      return true;
  }
}

/// Returns the level at which the request is complete: a message is there one level after its send.
Level LogicalOrder::level_of(const Request& request) const {
  switch (request.kind) {
    case Request::Kind::receive:
      return request.messages->sent[request.number].level + 1;
    case Request::Kind::collective:
      return request.collective->level;
    default:
      return 0;
  }
}

void LogicalOrder::complete(const Request& request, Level level) {
  if (request.kind == Request::Kind::send && request.crossing != kInside)
    parts_.crossings[request.crossing].waited = level;
  if (request.kind != Request::Kind::receive) return;
  const std::uint32_t crossing = request.messages->sent[request.number].crossing;
  if (crossing == kInside) return;
  // A receive may be started earlier than it was, so that it is always started before it is complete.
  parts_.crossings[crossing].posted = std::min(request.level, level - 1);
  parts_.crossings[crossing].completed = level;
}

bool LogicalOrder::wait(Walker& walker) {
  const Event& event = *walker.event;
  Level level = walker.level;
  for (const std::uint64_t back : event.list)
    if (const Request* const request = find(walker, back)) {
      if (!ready(*request)) return false;
      level = std::max(level, level_of(*request));
    }
  for (const std::uint64_t back : event.list)
    if (Request* const request = find(walker, back)) {
      complete(*request, level);
      *request = Request();
    }
  while (!walker.requests.empty() && walker.requests.front().kind == Request::Kind::none)
    walker.requests.pop_front();
  add_time(walker, level, Slot::before_wait);
  raise(walker, level);
  return true;
}

bool LogicalOrder::collective(Walker& walker) {
  const Event& event = *walker.event;
  if (!walker.entered) {
    walker.current.kind = Request::Kind::collective;
    walker.current.collective = &collectives_.arrive(walker.object, event, walker.level);
    walker.entered = true;
  }
  if (event.starts_request) {
    start(walker, walker.current);
    add_time(walker, walker.level, Slot::before_posts);
    return true;
  }
  if (!ready(walker.current)) return false;
  const Level level = level_of(walker.current);
  add_time(walker, level, Slot::before_collective);
  raise(walker, level);
  return true;
}

bool LogicalOrder::sync(Walker& walker) {
  Sync& point = syncs_[walker.syncs];
  if (!walker.entered) {
    point.level = std::max(point.level, walker.level + 1);
    --point.missing;
    walker.entered = true;
  }
  if (point.missing > 0) return false;
  ++walker.syncs;
  add_time(walker, point.level, Slot::before_sync);
  parts_.items[walker.coarse].push_back(
      {.level = point.level, .slot = Slot::sync, .bytes = walker.event->bytes});
  raise(walker, point.level);
  return true;
}

/// Keeps an event that concerns no other object.
void LogicalOrder::keep(Walker& walker) {
  Item item{.level = walker.level,
            .slot = Slot::post,
            .is_work = true,
            .order = walker.order++,
            .index = kKept | static_cast<std::uint32_t>(parts_.events.size())};
  carry(walker);
  for (const Work& work : walker.carried) {
    item.work = work;
    parts_.items[walker.coarse].push_back(item);
  }
  walker.carried.clear();
  item.is_work = false;
  parts_.items[walker.coarse].push_back(item);
  Event kept = *walker.event;
  kept.burst_ns = 0;
  kept.counters = {};
  kept.list = {};
  parts_.events.push_back(kept);
}

/// Enters or leaves a region. A visit without work is left out.
void LogicalOrder::region(Walker& walker) {
  const Event& event = *walker.event;
  carry(walker);
  const auto name = static_cast<std::uint32_t>(event.list[0]);
  std::vector<Walker::Frame>& inside = walker.inside;
  if (event.kind == EventKind::region_begin) {
    const std::tuple key(inside.back().visit, inside.back().visits++, name);
    const auto [found, is_new] = visits_.try_emplace(key, static_cast<std::uint32_t>(parts_.visits.size()));
    if (is_new) parts_.visits.push_back({inside.back().visit, name});
    inside.push_back({found->second, 0});
    return;
  }
  // Visits that began inside it end, too; an end without a beginning is ignored.
  std::size_t depth = inside.size();
  while (depth > 1 && parts_.visits[inside[depth - 1].visit].name != name) --depth;
  if (depth > 1) inside.resize(depth - 1);
}

}  // namespace skein::trace::coarse
