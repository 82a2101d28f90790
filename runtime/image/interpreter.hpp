// SPDX-License-Identifier: Apache-2.0
// Interpreters that distributions link at a fixed address, where a process has one of each. They install the
// same as a library, of which every rank can have its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace skein::image {

struct Interpreter {
  std::string library;  ///< that has it, such as "libpython3.11.so.1.0"
  /// Libraries of the process that its modules load with dlopen(). A rank stays where it is while it has
  /// loaded one that was not there at the start.
  std::vector<std::string> of_process;
};

/// What `program` is, if it is one of those: such as Debian's /usr/bin/python3. None for any other program,
/// also for one that is not there.
std::optional<Interpreter> interpreter_at_fixed_address(const std::string& program);

}  // namespace skein::image
