// SPDX-License-Identifier: Apache-2.0
// Samples of the resource model in a file, one JSON object:
//
//   {"kind": "lb-resources", "parallel": false,
//    "step":     [{"processes": 2, "work": 1, "seconds": 0.5}, ...],
//    "decision": [{"processes": 1, "work": 4096, "seconds": 2.1}, ...],
//    "exchange": [{"processes": 1, "partners": 2, "work": 4096, "seconds": 0.01}, ...],
//    "late_exchange": [...]}
//
// What is left out has no samples; `partners` is 1 and `parallel` false where it is not given.
#pragma once
#include <string>

#include "skein/lb/resources.hpp"

namespace skein::lb {

/// Throw FileError (load_file.hpp), which names the file and the place in it. What the numbers may be is
/// checked when curves are fitted.
ResourceSamples read_resource_samples(const std::string& file);
ResourceSamples parse_resource_samples(const std::string& json, const std::string& called);

std::string to_json(const ResourceSamples& samples);

}  // namespace skein::lb
