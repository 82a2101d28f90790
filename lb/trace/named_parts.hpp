// SPDX-License-Identifier: Apache-2.0
// Sums by name: what objects did inside the regions that the program names, or in its entry methods.
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
    std::uint32_t inside = 0;  // how often it was entered and not left
  };
  struct RegionBorder {
    std::uint64_t name = 0;
    bool begins = false;
  };

  /// All events of one object in turn, then its end. A region that is entered inside itself counts once; what
  /// is left and was not entered is nothing, and so is what has no name. What the event begins or ends is
  /// given back.
  std::optional<RegionBorder> add(const Event& event);
  /// Until the object's end: the parts in which it was, and what it did there.
  std::span<const std::uint64_t> seen() const { return seen_; }
  const Sums& sums(std::uint64_t name) const { return of_object_[name]; }
  void end_object(ObjectIndex object);
  /// Those that occur, the one with most computing first.
  std::vector<NamedPart> take(const Trace& trace) const;

 private:
  std::optional<RegionBorder> enter(std::uint64_t name);
  std::optional<RegionBorder> leave(std::uint64_t name);

  std::vector<Sums> of_object_;      // by name
  std::vector<std::uint64_t> open_;  // names, as they were entered
  std::vector<std::uint64_t> seen_;  // of this object
  std::vector<NamedPart> parts_;     // by name, without their names
};

}  // namespace skein::trace
