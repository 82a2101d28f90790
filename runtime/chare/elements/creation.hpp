// SPDX-License-Identifier: Apache-2.0
// How an array comes to be: the PE that creates it has it at once and tells PE 0, which counts its elements
// for reductions and tells all down the tree over the PEs. So PE 0 knows what is bound to what before it
// numbers insertions, and on the other PEs messages about the array may come before it: they wait
// (early.hpp).
#pragma once

namespace skein::chare {

/// Sets the receivers. On every PE, once.
void start_creation();

}  // namespace skein::chare
