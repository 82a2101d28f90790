// SPDX-License-Identifier: Apache-2.0
// What a calibrated machine tells the resource model (resources.hpp) that the steps of a job do not show:
// what deciding takes on other numbers of PEs, and what meeting and gathering take. Pure, but for reading the
// file.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "skein/lb/resources.hpp"

namespace skein::lb {

struct ResourceCalibration {
  Curve decision = {};  // g, s; work: objects, PEs and edges. Zero: of one PE alone, or not at all
  std::uint32_t most_deciding = 1;  // PEs that it was measured on, at most
  double level_s = 0;               // of h: each level of a tree over all PEs,
  double object_s = 0;              // and each object
};

/// Reads what a platform file, as `skein calibrate` writes it, has of this strategy; empty: of one that is
/// not known before. Throws FileError (load_file.hpp), which names the file and the member.
ResourceCalibration read_resource_calibration(const std::string& file, std::string_view strategy);
ResourceCalibration parse_resource_calibration(const std::string& json, const std::string& called,
                                               std::string_view strategy);

/// Puts it into a model that was fitted to the steps of a job, whose decisions are given, and into the
/// question.
///
///   w'  that of which the calibrated machine takes as long as the job did, by as many PEs
///   g   by the calibration, where the job has decided on one number of PEs only; else as it was fitted
///   h   of p PEs and their objects, the same in all modes: level_s log2(p), rounded up, + object_s objects
///
/// Returns whether g is by the calibration.
bool calibrate(ResourceModel& model, ResourceQuestion& question, const ResourceCalibration& calibration,
               std::span<const CurveSample> decisions);

}  // namespace skein::lb
