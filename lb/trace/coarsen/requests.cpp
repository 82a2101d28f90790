// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/coarsen/requests.hpp"

#include "lb/trace/kinds.hpp"

namespace skein::trace::coarse {

LateReceives late_receives(const Trace& trace, ObjectIndex object) {
  LateReceives late;
  std::unordered_map<std::uint64_t, bool> open;  // receives; true: of any source or tag
  std::uint64_t started = 0;
  Cursor cursor = trace.events(object);
  while (const Event* const event = cursor.next()) {
    late.syncs += event->kind == EventKind::sync;
    if (event->kind == EventKind::matched || event->kind == EventKind::wait)
      for (const std::uint64_t back : event->list) {
        const std::uint64_t request = started - 1 - back;
        const auto found = open.find(request);
        if (found == open.end()) {
          if (is_cancel(*event)) late.cancelled_sends.insert(request);
          continue;
        }
        if (event->kind == EventKind::matched)
          late.got[request] = {true, event->partner, event->tag, false};
        else if (found->second && !late.got.contains(request))
          throw TraceError("object " + std::to_string(object) +
                           ": a receive of any source or tag is complete, but nothing tells what it got; "
                           "`skein trace check` tells where");
        if (event->kind == EventKind::wait) open.erase(found);
      }
    if (!event->starts_request) continue;
    if (event->kind == EventKind::receive) open[started] = event->partner == kAny || event->tag == kAny;
    ++started;
  }
  for (const auto& [request, wild] : open) {
    LateReceives::Got& got = late.got[request];
    got.freed = got.anything;
  }
  return late;
}

}  // namespace skein::trace::coarse
