// SPDX-License-Identifier: Apache-2.0
// What the resource model learns from the steps of earlier runs of the job: the files that their --lb-report
// wrote (resource_steps.hpp).
#pragma once
#include <cstdint>
#include <string>

#include "skein/lb/resource_steps.hpp"
#include "skein/lb/resources.hpp"

namespace skein::lb {

struct ResourceReport {
  ResourceSamples samples;
  ResourceQuestion question;        // its `processes` are those of the last run, reserved ones included
  std::uint32_t most_deciding = 1;  // PEs that decided together in any of them
};

/// Reads reports, one after the other.
class ResourceReports {
 public:
  /// Throw FileError, which names the file and what is missing in it: a step in which anything was computed
  /// and decided.
  void read(const std::string& file);
  void parse(const std::string& text, const std::string& called);
  /// Precondition: there was one.
  ResourceReport learned() const;

 private:
  ResourceSteps steps_;
  double processes_ = 1;
  std::uint32_t most_deciding_ = 1;
};

}  // namespace skein::lb
