// SPDX-License-Identifier: Apache-2.0
// Facts that are not known when a request starts: which message a receive of any source or tag gets, whether
// a receive gets one, and whether a send is cancelled.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "skein/lb/trace.hpp"

namespace skein::trace::coarse {

struct LateReceives {
  struct Got {
    bool anything = false;
    std::int32_t partner = kAny, tag = kAny;
    bool freed = false;  // it took a message, and no call waits for it
  };
  /// By request, for receives of any source or tag, freed ones, and those that never complete.
  std::unordered_map<std::uint64_t, Got> got;
  std::unordered_set<std::uint64_t> cancelled_sends;  // requests
  std::uint64_t syncs = 0;                            // that the object passes
};

LateReceives late_receives(const Trace& trace, ObjectIndex object);

}  // namespace skein::trace::coarse
