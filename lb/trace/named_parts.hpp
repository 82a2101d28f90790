// SPDX-License-Identifier: Apache-2.0
// Sums by name over the regions that the program names, or over its entry methods.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "skein/lb/trace_check.hpp"

namespace skein::trace {

class NamedParts {
 public:
  explicit NamedParts(const Trace& trace) : of_object_(trace.names().size()), parts_(trace.names().size()) {}

  struct Sums {
    std::uint64_t times = 0, compute_ns = 0, call_ns = 0;
    std::uint32_t inside = 0;  // nesting depth: entered and not left
  };
  struct RegionBorder {
    std::uint64_t name = 0;
    bool begins = false;
  };

  /// Adds an event: all events of one object in turn, then its end. A region entered inside itself counts
  /// once; the end of a region that was not entered, and regions without a name, are ignored. Returns the
  /// region that the event begins or ends, if any.
  std::optional<RegionBorder> add(const Event& event);
  /// Returns the parts that the present object has been in.
  std::span<const std::uint64_t> seen() const { return seen_; }
  const Sums& sums(std::uint64_t name) const { return of_object_[name]; }
  void end_object(ObjectIndex object);
  /// Returns the parts that occur, the one with most computing first.
  std::vector<NamedPart> take(const Trace& trace) const;

 private:
  std::optional<RegionBorder> enter(std::uint64_t name);
  std::optional<RegionBorder> leave(std::uint64_t name);

  std::vector<Sums> of_object_;      // by name
  std::vector<std::uint64_t> open_;  // names, in the order of entering
  std::vector<std::uint64_t> seen_;  // by the present object
  std::vector<NamedPart> parts_;     // by name; names are filled in later
};

}  // namespace skein::trace
