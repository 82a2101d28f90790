// SPDX-License-Identifier: Apache-2.0
// Prints the results of `skein trace info` and `check` on standard output: to read, or one JSON object.
#pragma once

#include <string>

#include "skein/lb/trace_check.hpp"

namespace skein::tools {

/// Prints the facts of a trace; `file_bytes`: size of its file.
void print_info(const trace::Trace& trace, std::uint64_t file_bytes, bool json);
void print_findings(const trace::CheckResult& result, const std::string& file, bool json);

}  // namespace skein::tools
