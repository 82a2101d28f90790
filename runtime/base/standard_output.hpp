// SPDX-License-Identifier: Apache-2.0
// Makes sure that no output is lost without a word, however the process ends.
#pragma once

#include <cstdint>

namespace skein {

/// Flushes standard output. If some of it, or of what was printed before, could not be written, says so in
/// one line on standard error, and returns false.
[[nodiscard]] bool finish_standard_output();

/// Writes out what the C stream of standard output has, from a handler of a fault: takes no lock.
void write_pending_output();

/// Returns the number of bytes that standard output has, or -1 if it is no file.
std::int64_t output_bytes();
/// Removes all output after the first `bytes` bytes, including what its C stream still has. Does nothing if
/// `bytes` is -1 or standard output is no file.
void take_output_back(std::int64_t bytes);

/// Makes a SIGTERM, SIGINT or SIGHUP that would end the process first write the line that standard output has
/// begun: MPI launchers end the other processes by these signals when one has ended the job. Does not touch
/// signals that are ignored or handled otherwise.
void keep_unfinished_lines();

}  // namespace skein
