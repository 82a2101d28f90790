// SPDX-License-Identifier: Apache-2.0
// The registry of ways of waiting: each mechanism by which something can wait reports here how much waits
// now. If the job is quiet and anything waits, it can make no progress, and its end names what waits.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace skein::chare {

/// The ways of waiting, in the order of the reports.
enum class Way : std::size_t {
  early_message,
  call,
  unfinished_element,
  reduction,
  section_reduction,
  ordered_call,
  activity,
  future,
  completion_detector,
  count
};

/// Registers one way of waiting, at namespace scope. Both functions report on this PE, are called when it is
/// idle, and must not send.
struct WaitSource {
  /// `describe` appends a line for each waiting thing, or at least one if there is any: "reduction 0 over
  /// Cell has 4 of 16 contributions".
  WaitSource(Way way, std::size_t (*count)(), void (*describe)(std::vector<std::string>& lines));
};

std::size_t count_waiting();
/// Counts what waits in this way alone.
std::size_t count_waiting(Way way);
void describe_waiting(Way way, std::vector<std::string>& lines);
void describe_waiting(std::vector<std::string>& lines);

}  // namespace skein::chare
