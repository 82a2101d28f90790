// SPDX-License-Identifier: Apache-2.0
// The critical path through a run that was simulated or recorded: the chain of computing, messages and LB
// steps whose times add up to the makespan. Shortening anything that is not on the path gains nothing.
//
// The path is found from the end, as by D. Böhme, F. Wolf, B. de Supinski, M. Schulz, M. Geimer, "Scalable
// Critical-Path Based Performance Analysis", IPDPS 2012, with one more rule, for objects that share a PE: an
// object that begins as soon as another has left the PE was waiting for the PE, and not for a message.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "skein/lb/causes.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

/// All times are in ns. The members from `compute` to `waiting` add up to the makespan.
struct CriticalPath {
  Ns compute = 0;
  Ns transfer = 0;    // from a send to where its receiver goes on
  Ns collective = 0;  // from the last arrival to where this object goes on; also reductions and quiescence
  Ns balancing = 0;   // LB steps, from where the last object came
  Ns between = 0;     // from where a PE left one object to where it began the next
  Ns waiting = 0;  // unknown causes: sleep, files, sends of ranks that computed nothing since their own wait
  std::vector<Ns> of_object;                          // of `compute`
  std::vector<std::pair<std::string, Ns>> of_region;  // of `compute`, innermost, largest first; "": in none
  std::size_t handed_on = 0;                          // how often the path goes from one object to another
  struct Part {
    trace::ObjectIndex object = 0;
    Ns begin = 0, end = 0;
  };
  std::vector<Part> parts;  // of `compute`, from the last one back
};

/// Returns the critical path through a run of `trace`. Of `timeline` it reads the makespan, the PEs, and what
/// find_causes() reads. `switch_ns` is the time that a PE takes to switch from one object to another.
CriticalPath critical_path(const trace::Trace& trace, const Timeline& timeline, const Causes& causes,
                           double switch_ns);

/// Returns the run with some bursts `factor` times as fast: those inside the region or entry method that
/// `what` names, or those of a rank ("rank 3"). Throws SimulationError for other names, and lists the valid
/// ones.
trace::Trace with_faster(const trace::Trace& trace, const std::string& what, double factor);

}  // namespace skein::simulate
