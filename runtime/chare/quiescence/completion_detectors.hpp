// SPDX-License-Identifier: Apache-2.0
// Completion detection. The PE that began a detector, its root, finds the end by two waves of counts, the
// four-counter method (Mattern 1987) for the items of one detector. The first wave are the reports that PEs
// send by themselves after their counts have changed. When by these all producers are done, and C items are
// consumed and as many produced, the root asks all PEs. All reports were sent before, all answers after this
// moment, and counts only grow: so if by the answers C items are produced, then no more than C were at this
// moment, and no fewer than C were consumed. Nothing was left to consume, and nobody to produce.
#pragma once

namespace skein::chare {

/// Sets the receivers. On every PE, once.
void start_completion_detectors();

}  // namespace skein::chare
