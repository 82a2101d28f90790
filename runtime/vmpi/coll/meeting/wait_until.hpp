// SPDX-License-Identifier: Apache-2.0
// Waits of the member that completes a blocking collective for events that are no messages: blocks in memory
// that others write, and calls of the nodes.
//
// Called on the member's main fiber; may switch. The member does not move meanwhile.
#pragma once

#include "runtime/net/transport.hpp"
#include "runtime/net/watched.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::vmpi {

namespace detail {

/// Returns true if the event happens before it is worth looking for messages or switching to another rank.
template <class HasHappened>
bool happens_soon(const HasHappened& has_happened) {
  // with the pauses between them less than a microsecond
  constexpr int looks = 20;
  if (net::world.shares_cores()) return has_happened();
  for (int i = 0; i < looks; ++i) {
    if (has_happened()) return true;
    if (any_ready()) return false;
    __builtin_ia32_pause();
  }
  return false;
}

template <class HasHappened>
struct Awaited : net::Watched {
  const HasHappened* here;
  Fiber* fiber;
};

}  // namespace detail

/// Returns when `has_happened()` is true. It must neither switch nor watch anything. `reason`: for the
/// deadlock report.
template <class HasHappened>
void wait_until(WaitReason reason, const HasHappened& has_happened) {
  if (detail::happens_soon(has_happened)) return;
  using Awaited = detail::Awaited<HasHappened>;
  Awaited awaited;
  awaited.has_happened = [](net::Watched& what) { return (*static_cast<Awaited&>(what).here)(); };
  awaited.then = [](net::Watched& what) { make_ready(*static_cast<Awaited&>(what).fiber); };
  awaited.here = &has_happened;
  awaited.fiber = current_fiber();
  net::watch(awaited);
  block(reason);
}

}  // namespace skein::vmpi
