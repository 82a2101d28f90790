// SPDX-License-Identifier: Apache-2.0
// What the resource model learns from the steps of an earlier run of the job: the file that its --lb-report
// wrote.
//
//   f       a step is a sync point: what all PEs computed from one to the next, divided by the PEs
//   g       what the strategy took
//   h       not in a report, and zero: what meeting and gathering take is about the same in all modes
//   alpha   the mean of the imbalance before LB steps
//   i       by which part of it imbalance grew from behind one LB step to the next, a sync point
//   t       sync points from one LB step to the next
//   r       what moving took
#pragma once
#include <span>
#include <string>

#include "skein/lb/resources.hpp"

namespace skein::lb {

struct ResourceReport {
  ResourceSamples samples;
  ResourceQuestion question;  // its `processes` are those of the run, reserved ones included
};

// Throws FileError, which names the file and what is missing in it: a step in which anything was computed and
// decided.
ResourceReport read_resource_report(const std::string& file);
ResourceReport parse_resource_report(const std::string& text, const std::string& called);

}  // namespace skein::lb
