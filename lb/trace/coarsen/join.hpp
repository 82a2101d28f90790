// SPDX-License-Identifier: Apache-2.0
// Messages and collectives that fine ranks make at the same levels become one.
#pragma once
#include <vector>

#include "lb/trace/coarsen/parts.hpp"

namespace skein::trace::coarse {

struct Joined {
  Crossing all;  // bytes are sums, work is that of all; `posted` is the first, `waited` the last
  std::int32_t tag = 0;
};

/// Joins `crossings` by sender, receiver, and when they are sent and received. Sends and receives of one
/// sender, receiver and tag have one order.
std::vector<Joined> join_messages(Parts& parts);
/// In an order in which all coarse ranks can make them.
std::vector<Call> join_calls(std::vector<Call> calls);

}  // namespace skein::trace::coarse
