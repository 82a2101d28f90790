// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::chare {

/// Sets the receivers, and agrees on the numbers of arrays. On every PE, once.
void start_arrays();
/// Destroys all elements of this PE.
void end_arrays();

}  // namespace skein::chare
