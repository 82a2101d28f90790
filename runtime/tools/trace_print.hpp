// SPDX-License-Identifier: Apache-2.0
// What `skein trace info` and `check` print, on standard output: to read, or one JSON object.
#pragma once

#include <string>

#include "skein/lb/trace_check.hpp"

namespace skein::tools {

/// `file_bytes`: of the file that the trace is from.
void print_info(const trace::Trace& trace, std::uint64_t file_bytes, bool json);
void print_findings(const trace::CheckResult& result, const std::string& file, bool json);

}  // namespace skein::tools
