// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace skein::chare {

/// What became of the element that was at the address, as long as it is one of those that left last: null.
/// Callable from handlers of faults.
const char* fate_of_object_at(const void* address);

}  // namespace skein::chare
