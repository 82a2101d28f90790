// SPDX-License-Identifier: Apache-2.0
// What is printed is not lost without a word, however the process ends.
#pragma once

namespace skein {

/// Writes out what standard output still has. If some of it, or of what was printed before, could not be
/// written, one line on standard error says so, and false is returned.
[[nodiscard]] bool finish_standard_output();

/// Writes out what the C stream of standard output has, from a handler of a fault: takes no lock.
void write_pending_output();

/// From here on, a SIGTERM, SIGINT or SIGHUP that would end the process has it write the line that standard
/// output has begun: MPI launchers end the other processes so when one has ended the job. Signals that are
/// ignored or handled otherwise are left alone.
void keep_unfinished_lines();

}  // namespace skein
