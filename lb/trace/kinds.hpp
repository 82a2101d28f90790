// SPDX-License-Identifier: Apache-2.0
// What can be said of events and collectives by their kinds.
#pragma once
#include "skein/lb/trace.hpp"

namespace skein::trace {

/// Whether it tells of a request that was cancelled: of a receive, or of a send.
inline bool is_cancel(const Event& event) {
  return event.kind == EventKind::matched && event.partner == kAny;
}

/// Whether entry methods are run because of it: the messages of native programs, which are counted together.
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

/// Whether members give or get different numbers of bytes.
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
