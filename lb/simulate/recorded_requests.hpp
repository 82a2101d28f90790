// SPDX-License-Identifier: Apache-2.0
// What became of requests in the recorded run, where the call that starts one does not say it.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lb/trace/channel.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// Which requests were cancelled. Nothing is sent or received for them: whether a message overtakes its
/// cancellation would depend on the platform, and what later requests get on that.
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
  void record_sends(trace::ObjectIndex object, trace::Cursor events);
  std::vector<std::unordered_set<std::uint32_t>> requests_;  // by object; empty: there are none
  std::unordered_set<trace::Channel, trace::ChannelHash> sends_;
};

/// Whom the nonblocking receives of one object got that wanted any source or tag: what stands in the stream
/// where they were waited for (EventKind::matched), read ahead of the play. Only objects that have such
/// receives have one of these.
class Wildcards {
 public:
  Wildcards(const trace::Trace& trace, trace::ObjectIndex object) : ahead_(trace.events(object)) {}

  struct Source {
    std::int32_t partner = trace::kAny;
    std::int32_t tag = trace::kAny;
  };
  /// The source of the object's request of this number; nothing: the stream ends before it says so. Each may
  /// be asked for once.
  std::optional<Source> source_of(std::uint32_t request);

 private:
  trace::Cursor ahead_;
  bool at_end_ = false;
  std::uint32_t started_ = 0;  // requests before ahead_
  std::unordered_map<std::uint32_t, Source> found_;
};

}  // namespace skein::simulate
