// SPDX-License-Identifier: Apache-2.0
// Which requests were cancelled. Nothing is sent or received for them: whether a message overtakes its
// cancellation would depend on the platform, and what later requests get on that.
#pragma once
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "lb/trace/channel.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

class Cancelled {
 public:
  explicit Cancelled(const trace::Trace& trace);
  /// `request`: counted from 0 as the object starts them.
  bool has(trace::ObjectIndex object, std::uint32_t request) const {
    return !requests_.empty() && requests_[object].contains(request);
  }
  /// Whether sends were: then a probe may have found one.
  bool has_sends(const trace::Channel& channel) const { return sends_.contains(channel); }

 private:
  void note_sends(trace::ObjectIndex object, trace::Cursor events);
  std::vector<std::unordered_set<std::uint32_t>> requests_;  // by object; empty: there are none
  std::unordered_set<trace::Channel, trace::ChannelHash> sends_;
};

}  // namespace skein::simulate
