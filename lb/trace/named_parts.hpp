// SPDX-License-Identifier: Apache-2.0
// Sums by name: what objects did inside the regions that the program names, or in its entry methods.
#pragma once
#include <cstdint>
#include <vector>

#include "skein/lb/trace_check.hpp"

namespace skein::trace {

class NamedParts {
 public:
  explicit NamedParts(const Trace& trace) : of_object_(trace.names().size()), parts_(trace.names().size()) {}

  // All events of one object in turn, then its end. A region that is entered inside itself counts once; what
  // is left and was not entered is nothing, and so is what has no name.
  void add(const Event& event);
  void end_object(ObjectIndex object);
  // Those that occur, the one with most computing first.
  std::vector<NamedPart> take(const Trace& trace) const;

 private:
  struct Sums {
    std::uint64_t times = 0, compute_ns = 0, call_ns = 0;
    std::uint32_t inside = 0;  // how often it was entered and not left
  };
  void enter(std::uint64_t name);
  void leave(std::uint64_t name);

  std::vector<Sums> of_object_;      // by name
  std::vector<std::uint64_t> open_;  // names, as they were entered
  std::vector<std::uint64_t> seen_;  // of this object
  std::vector<NamedPart> parts_;     // by name, without their names
};

}  // namespace skein::trace
