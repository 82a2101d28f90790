// SPDX-License-Identifier: Apache-2.0
// Properties of kinds of events and collectives.
#pragma once
#include "skein/lb/trace.hpp"

namespace skein::trace {

/// Returns true if the event reports a cancelled receive or send.
inline bool is_cancel(const Event& event) {
  return event.kind == EventKind::matched && event.partner == kAny;
}

/// Returns true for messages of native programs that run entry methods; these are counted together.
inline bool causes_executions(EventKind kind) {
  return kind == EventKind::call || kind == EventKind::broadcast || kind == EventKind::create;
}

inline bool has_root(Collective kind) {
  switch (kind) {
    case Collective::bcast:
    case Collective::gather:
    case Collective::gatherv:
    case Collective::scatter:
    case Collective::scatterv:
    case Collective::reduce:
      return true;
    default:
      return false;
  }
}

/// Returns true if the bytes may differ from member to member.
inline bool has_counts(Collective kind) {
  switch (kind) {
    case Collective::gatherv:
    case Collective::scatterv:
    case Collective::allgatherv:
    case Collective::alltoallv:
    case Collective::alltoallw:
    case Collective::reduce_scatter:
      return true;
    default:
      return false;
  }
}

}  // namespace skein::trace
