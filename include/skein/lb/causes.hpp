// SPDX-License-Identifier: Apache-2.0
// Why the objects of a run went on when they did: what each may have waited for before each of its bursts. Of
// ranks and of elements, in a run that was simulated or recorded.
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

/// What an object may have waited for, and until where that was not there: a message until it was sent, a
/// collective, a reduction, quiescence or an LB step until the last one came.
struct Cause {
  enum class Kind : std::uint8_t { message, collective, step } kind = Kind::message;
  Moment from;
};

/// A burst.
struct Stretch {
  Ns begin = 0, end = 0;
  lb::PeIndex pe = 0;
  std::uint32_t region = 0;  // index + 1, of the innermost one or the entry method; 0: none
  std::size_t first_cause = 0, last_cause = 0;  // [of Causes::all)
};

struct Causes {
  std::vector<std::vector<Stretch>> stretches;  // by object, rising
  std::vector<Cause> all;

  std::span<const Cause> before(const Stretch& stretch) const {
    return std::span(all).subspan(stretch.first_cause, stretch.last_cause - stretch.first_cause);
  }
};

/// By Timeline::bursts, and Timeline::steps with their sync points. A send is where its object last computed.
Causes find_causes(const trace::Trace& trace, const Timeline& timeline);

/// A message, from where it was sent to where its receiver goes on, which has waited for so long.
struct Flight {
  Moment sent, received;
  Ns waited = 0;
};
struct Flights {
  std::vector<Flight>
      longest;  // those that were waited for the longest, no more than were asked for; by Flight::sent
  std::uint64_t count = 0;  // of all
};
Flights find_flights(const Causes& causes, std::size_t most);

}  // namespace skein::simulate
