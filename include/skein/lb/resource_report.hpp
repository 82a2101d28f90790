// SPDX-License-Identifier: Apache-2.0
// What the resource model learns from the steps of an earlier run of the job: the file that its --lb-report
// wrote (resource_steps.hpp).
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
