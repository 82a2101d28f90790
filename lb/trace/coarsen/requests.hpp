// SPDX-License-Identifier: Apache-2.0
// What cannot be known when a receive is started: whom it gets, if it takes any, and whether it gets
// anything; and when a send is: whether it is cancelled.
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
    bool freed = false;  // it took something, and is not waited for
  };
  /// By request, for those that take any, are freed, or are never complete.
  std::unordered_map<std::uint64_t, Got> got;
  std::unordered_set<std::uint64_t> cancelled_sends;  // requests
  std::uint64_t syncs = 0;                            // that the object meets
};

LateReceives late_receives(const Trace& trace, ObjectIndex object);

}  // namespace skein::trace::coarse
