// SPDX-License-Identifier: Apache-2.0
// The results of requests in the recorded run, where the starting call does not tell them.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lb/trace/channel.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// The requests that were cancelled. A simulation neither sends nor receives for them: whether a message
/// overtakes its cancellation would depend on the platform, and later requests on that.
class Cancelled {
 public:
  explicit Cancelled(const trace::Trace& trace);
  /// Returns true if the request was cancelled. `request`: counted from 0 in the order of starting.
  bool has(trace::ObjectIndex object, std::uint32_t request) const {
    return !requests_.empty() && requests_[object].contains(request);
  }
  /// Returns true if sends of the channel were cancelled: a probe may have found a cancelled one.
  bool has_sends(const trace::Channel& channel) const { return sends_.contains(channel); }

 private:
  void record_sends(trace::ObjectIndex object, trace::Cursor events);
  std::vector<std::unordered_set<std::uint32_t>> requests_;  // by object; empty: nothing was cancelled
  std::unordered_set<trace::Channel, trace::ChannelHash> sends_;
};

/// The sources of one object's nonblocking receives from any source or of any tag, which the stream tells
/// only where they were waited for (EventKind::matched), read ahead of the play. Only objects with such
/// receives have one.
class Wildcards {
 public:
  Wildcards(const trace::Trace& trace, trace::ObjectIndex object) : ahead_(trace.events(object)) {}

  struct Source {
    std::int32_t partner = trace::kAny;
    std::int32_t tag = trace::kAny;
  };
  /// Returns the source of the object's request of this number, or nothing if the stream ends before it
  /// tells. May be called once for each request.
  std::optional<Source> source_of(std::uint32_t request);

 private:
  trace::Cursor ahead_;
  bool at_end_ = false;
  std::uint32_t started_ = 0;  // requests before ahead_
  std::unordered_map<std::uint32_t, Source> found_;
};

}  // namespace skein::simulate
