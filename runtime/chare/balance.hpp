// SPDX-License-Identifier: Apache-2.0
// LB steps of a native program. They are made when the job is quiescent, so that no call is under way while
// elements move, and every PE learns from the snapshot where all of them go.
#pragma once

namespace skein::chare {

/// LB steps of this job balance elements. Once, on every PE.
void balance_elements();

}  // namespace skein::chare
