// SPDX-License-Identifier: Apache-2.0
// Messages and collectives that fine ranks make at the same levels become one.
#pragma once
#include <vector>

#include "lb/trace/coarsen/parts.hpp"

namespace skein::trace::coarse {

struct Joined {
  Crossing all;  // bytes and bursts are sums; `posted` is the first, `waited` the last
  std::int32_t tag = 0;
};

// By sender, receiver, and when they are sent and received. Of one sender, receiver and tag, sends and
// receives have one order.
std::vector<Joined> join_messages(std::vector<Crossing> crossings);
// In an order in which all coarse ranks can make them.
std::vector<Call> join_calls(std::vector<Call> calls);

}  // namespace skein::trace::coarse
