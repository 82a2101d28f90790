// SPDX-License-Identifier: Apache-2.0
// Insertions: when one is granted (insertion_grants.hpp), a message goes to the PE where the element is made.
#pragma once

namespace skein::chare {

/// Sets the receivers. On every PE, once.
void start_insertions();

}  // namespace skein::chare
