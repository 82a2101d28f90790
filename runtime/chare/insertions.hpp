// SPDX-License-Identifier: Apache-2.0
// Insertions go by way of PE 0, which knows the reductions and broadcasts that a new element is the first to
// take part in, and from there to the PE where the element is made.
#pragma once

namespace skein::chare {

/// Sets the receivers. On every PE, once.
void start_insertions();

}  // namespace skein::chare
