// SPDX-License-Identifier: Apache-2.0
// The registry of what waits: each mechanism by which something can wait for something else says here how
// much does now. When the job is quiet and anything waits, it can make no progress, and its end names what.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace skein::chare {

/// One way of waiting. Both functions are of this PE, are called when it is idle, and must not send.
struct WaitSource {
  std::size_t (*count)();
  /// Appends a line for each, or for at least one if there is any: "reduction 0 over Cell has 4 of 16
  /// contributions".
  void (*describe)(std::vector<std::string>& lines);
};

/// At the start, on every PE.
void add_wait_source(const WaitSource& source);

std::size_t count_waiting();
/// Asks all sources, in the order in which they were added.
void describe_waiting(std::vector<std::string>& lines);

}  // namespace skein::chare
