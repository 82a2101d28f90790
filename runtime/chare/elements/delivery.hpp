// SPDX-License-Identifier: Apache-2.0
// Calls, functions and places that go from PE to PE, and elements that move by themselves.
#pragma once

namespace skein::chare {

/// Sets the receivers. On every PE, once.
void start_delivery();

}  // namespace skein::chare
