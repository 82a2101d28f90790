// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/job_state.hpp"

#include <string>

#include "lb/simulate/passed_points.hpp"

namespace skein::simulate {

void JobState::compute(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t burst_ns,
                       std::uint64_t number) {
  if (burst_ns == 0) return;
  const std::uint64_t work =
      platform.noise == 0 ? burst_ns : with_noise(burst_ns, platform.noise, policy.seed, object, number);
  Ns& clock = machine.clock(pe);
  const PeSpeed::Span span = speed.run(pe, clock, work);
  if (span.end == never)
    throw SimulationError(
        "PE " + std::to_string(pe) + " of platform '" + platform.name + "' stands for good (changes), " +
        "and object " + std::to_string(object) +
        " is there: end the change (until_ns), or take a strategy and a period that clear the PE "
        "before");
  shares[object].busy += span.busy;
  shares[object].work_ns += work;
  if (policy.keep_bursts) bursts.push_back({object, pe, clock, span.end});
  clock = span.end;
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

void JobState::occupy(Machine& machine, PeIndex pe, ObjectIndex object, std::uint64_t ns) {
  shares[object].busy += static_cast<Ns>(ns);
  shares[object].work_ns += ns;
  Ns& clock = machine.clock(pe);
  if (policy.keep_bursts) bursts.push_back({object, pe, clock, clock + static_cast<Ns>(ns)});
  clock += static_cast<Ns>(ns);
}

}  // namespace skein::simulate
