// SPDX-License-Identifier: Apache-2.0
// The causes for which the objects of a run went on: what each may have waited for before each of its bursts.
// For ranks and elements, in simulated and recorded runs.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "skein/lb/simulate.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

struct Moment {
  trace::ObjectIndex object = 0;
  Ns at = 0;
};

/// An event that an object may have waited for, with its origin: for a message where it was sent; for a
/// collective, a reduction, quiescence or an LB step where the last participant came.
struct Cause {
  enum class Kind : std::uint8_t { message, collective, step } kind = Kind::message;
  Moment from;
};

/// A burst.
struct Stretch {
  Ns begin = 0, end = 0;
  lb::PeIndex pe = 0;
  std::uint32_t region = 0;                     // index + 1 of the innermost region or entry method; 0: none
  std::size_t first_cause = 0, last_cause = 0;  // [first, last) of Causes::all
};

struct Causes {
  std::vector<std::vector<Stretch>> stretches;  // by object, rising
  std::vector<Cause> all;

  std::span<const Cause> before(const Stretch& stretch) const {
    return std::span(all).subspan(stretch.first_cause, stretch.last_cause - stretch.first_cause);
  }
};

/// Finds the causes from Timeline::bursts, and from Timeline::steps with their sync points. A send counts as
/// made where its object last computed.
Causes find_causes(const trace::Trace& trace, const Timeline& timeline);

/// A message from its send to where its receiver, which waited for it for `waited`, goes on.
struct Flight {
  Moment sent, received;
  Ns waited = 0;
};
struct Flights {
  std::vector<Flight> longest;  // at most `most`, waited for the longest; ordered by Flight::sent
  std::uint64_t count = 0;      // of all
};
Flights find_flights(const Causes& causes, std::size_t most);

}  // namespace skein::simulate
