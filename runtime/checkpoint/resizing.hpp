// SPDX-License-Identifier: Apache-2.0
// How a job is told that it is to go on on another number of PEs: by files in a folder with its states.
//
//   resize    so many are wanted: the PEs write a state as soon as they can
//   resized   there is that state, and the PEs end; whoever started them starts as many as it says
#pragma once

#include <string>

namespace skein::checkpoint {

/// Throws skein::Error where the folder cannot be written.
void want_size(const std::string& folder, int pes);
bool other_size_is_wanted(const std::string& folder);
/// On PE 0, when there is a new state: whether another number is wanted. If so, the PEs are to end.
bool obey_size(const std::string& folder);
/// When the PEs have ended: the number that they ended for, or 0.
int take_size(const std::string& folder);

}  // namespace skein::checkpoint
