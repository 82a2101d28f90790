// SPDX-License-Identifier: Apache-2.0
// Whom the nonblocking receives of one object got that wanted any source or tag: what stands in the stream
// where they were waited for (EventKind::matched), read ahead of the play. Only objects that have such
// receives have one of these.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "skein/lb/trace.hpp"

namespace skein::simulate {

class Wildcards {
 public:
  Wildcards(const trace::Trace& trace, trace::ObjectIndex object) : ahead_(trace.events(object)) {}

  struct Source {
    std::int32_t partner = trace::any;
    std::int32_t tag = trace::any;
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
