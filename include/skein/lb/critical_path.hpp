// SPDX-License-Identifier: Apache-2.0
// The critical path through a run that was simulated or recorded: the chain of computing, messages and LB
// steps that the makespan is the sum of. To shorten what is not on it gains nothing.
//
// It is found from the end, as by D. Böhme, F. Wolf, B. de Supinski, M. Schulz, M. Geimer, "Scalable
// Critical-Path Based Performance Analysis", IPDPS 2012, with one more rule, for objects that share a PE: who
// begins as soon as another object has left the PE was waiting for that one, and not for a message.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "skein/lb/causes.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// All in ns. The sum of what is not in a list is the makespan.
struct CriticalPath {
  Ns compute = 0;
  Ns transfer = 0;    // from a send to where its receiver goes on
  Ns collective = 0;  // from where the last one came to where this one goes on; reductions, quiescence, too
  Ns balancing = 0;   // LB steps, from where the last object came
  Ns between = 0;     // a PE has left one object and not begun the next
  Ns waiting = 0;  // for what is not known: sleep, files, and sends of ranks that computed nothing since they
                   /// waited themselves
  std::vector<Ns> of_object;  // of `compute`
  std::vector<std::pair<std::string, Ns>>
      of_region;              // likewise, of the innermost one, most first; "": in none
  std::size_t handed_on = 0;  // how often it goes from one object to another
  struct Part {
    trace::ObjectIndex object = 0;
    Ns begin = 0, end = 0;
  };
  std::vector<Part> parts;  // of `compute`, from the last one back
};

/// The path through a run of `trace`. Timeline: makespan, PEs, and what find_causes() reads of it.
/// `switch_ns`: what a PE takes from one object to another.
CriticalPath critical_path(const trace::Trace& trace, const Timeline& timeline, const Causes& causes,
                           double switch_ns);

/// The run with the bursts inside of a region or entry method, or of a rank ("rank 3"), `factor` times as
/// fast. Throws SimulationError where there is no such region or rank, with those that there are.
trace::Trace with_faster(const trace::Trace& trace, const std::string& what, double factor);

}  // namespace skein::simulate
