// SPDX-License-Identifier: Apache-2.0
// Interpreters that distributions link at a fixed address, where a process has one of each. Distributions
// also install them as a library, of which every rank can have a copy.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace skein::image {

struct Interpreter {
  std::string library;  ///< that has it, such as "libpython3.11.so.1.0"
  /// Libraries of the process that the interpreter's modules load with dlopen(). A rank stays on its PE while
  /// it has loaded one that was not there at the start.
  std::vector<std::string> of_process;
};

/// Returns the interpreter that `program` is, like Debian's /usr/bin/python3. Returns none for any other
/// program, or if it does not exist.
std::optional<Interpreter> interpreter_at_fixed_address(const std::string& program);

}  // namespace skein::image
