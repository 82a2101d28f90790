// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/job_state.hpp"

#include <string>

#include "lb/simulate/passed_points.hpp"

namespace skein::simulate {

void JobState::report_endless(PeIndex pe, ObjectIndex object, std::uint64_t work, Ns clock, Ns end) const {
  const std::string where = "PE " + std::to_string(pe) + " of platform '" + platform.name + "'";
  const std::string what = trace.header().native && object < trace.header().labels.size()
                               ? trace.header().labels[object]
                               : "rank " + std::to_string(object);
  if (end == never)
    throw SimulationError(where + " stands for good (changes), and " + what +
                          " is there: end the change (until_ns), or take a strategy and a period that clear "
                          "the PE before");
  if (end - clock < longest_burst_ns) fail_beyond_horizon(platform);
  throw SimulationError(
      where + " takes " + long_time(static_cast<double>(longest_burst_ns)) + " and more for a burst of " +
      what + ", in the trace " + std::to_string(work) +
      " ns: look at speed, speeds, background and changes of the platform, and at the trace "
      "(skein trace info)");
}

bool JobState::go_on_computing(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t burst_ns,
                               std::uint64_t number) {
  if (!machine.burst_is_over(pe)) return false;
  note_burst(pe, object, work_of(object, burst_ns, number), number, machine.take_burst(pe));
  return true;
}

Stops::At JobState::comes_to_point(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t n,
                                   std::uint64_t bytes) {
  shares[object].bytes = bytes;
  if (passed) passed->pass(object, pe, n, shares[object].busy, machine.clock(pe));
  return stops.comes_to(*this, machine, pe, object, n);
}

void JobState::end(Machine& machine, PeIndex pe, ObjectIndex object) {
  shares[object].ended = true;
  stops.ends(machine, pe, object);
}

void JobState::occupy(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t ns,
                      std::uint64_t number) {
  Ns& clock = machine.clock(pe);
  if (ns >= static_cast<std::uint64_t>(longest_burst_ns) || clock >= horizon_ns) [[unlikely]]
    fail_as_too_long(static_cast<double>(ns),
                     "what is recorded of a call of object " + std::to_string(object));
  shares[object].busy += static_cast<Ns>(ns);
  shares[object].work_ns += ns;
  if (policy.keep_bursts) bursts.push_back({object, pe, clock, clock + static_cast<Ns>(ns), number});
  clock += static_cast<Ns>(ns);
}

}  // namespace skein::simulate
