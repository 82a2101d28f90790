// SPDX-License-Identifier: Apache-2.0
// The registry of what waits: each mechanism by which something can wait for something else says here how
// much does now. When the job is quiet and anything waits, it can make no progress, and its end names what.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace skein::chare {

/// In the order in which they are asked.
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

/// One way of waiting, at namespace scope. Both functions are of this PE, are called when it is idle, and
/// must not send.
struct WaitSource {
  /// `describe` appends a line for each, or for at least one if there is any: "reduction 0 over Cell has 4 of
  /// 16 contributions".
  WaitSource(Way way, std::size_t (*count)(), void (*describe)(std::vector<std::string>& lines));
};

std::size_t count_waiting();
/// In this way alone.
std::size_t count_waiting(Way way);
void describe_waiting(Way way, std::vector<std::string>& lines);
void describe_waiting(std::vector<std::string>& lines);

}  // namespace skein::chare
