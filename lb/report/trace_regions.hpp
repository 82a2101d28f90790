// SPDX-License-Identifier: Apache-2.0
// The regions that a recorded program names, and its entry methods, as lanes of the timeline and as sums.
#pragma once
#include <vector>

#include "lb/trace/named_parts.hpp"
#include "spans.hpp"

namespace skein::report {

class TraceRegions {
 public:
  explicit TraceRegions(const trace::Trace& trace) : trace_(trace), parts_(trace) {}

  /// Adds an event that ends at `now_ns`: all events of one object in turn, then its end.
  void add(trace::ObjectIndex object, const trace::Event& event, std::uint64_t now_ns);
  void end_object(trace::ObjectIndex object, std::uint64_t now_ns);
  void finish(Run& run);

 private:
  struct OpenRegion {
    std::uint64_t name = 0;
    std::size_t lane = 0;
    std::uint64_t begin_ns = 0;
  };
  void begin(std::uint64_t name, std::uint64_t now_ns);
  void end(trace::ObjectIndex object, const OpenRegion& open, std::uint64_t now_ns);

  const trace::Trace& trace_;
  trace::NamedParts parts_;
  std::vector<OpenRegion> open_;
  std::vector<Spans> lanes_;
  std::vector<RegionSums> sums_;
  bool too_deep_ = false;
};

}  // namespace skein::report
