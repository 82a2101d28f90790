// SPDX-License-Identifier: Apache-2.0
// Joins messages, and collectives, that fine ranks make at the same levels.
#pragma once
#include <vector>

#include "lb/trace/coarsen/parts.hpp"

namespace skein::trace::coarse {

struct Joined {
  Crossing all;  // the sum of bytes and all work; `posted` is the first, `waited` the last
  std::int32_t tag = 0;
};

/// Joins `crossings` by sender, receiver, and levels of sending and receiving. Sends and receives of one
/// sender, receiver and tag have the same order.
std::vector<Joined> join_messages(Parts& parts);
/// Joins calls, in an order in which all coarse ranks can make them.
std::vector<Call> join_calls(std::vector<Call> calls);

}  // namespace skein::trace::coarse
