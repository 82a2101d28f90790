// SPDX-License-Identifier: Apache-2.0
// Wishes of an element, to move or to end, which are granted when the running method has returned.
#pragma once

#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/record/execution_record.hpp"

namespace skein::chare {

/// Grants the wishes. The element may be gone on return.
void grant_wishes(Element& element);

/// Charges the time to the element whose method has returned, and grants its wishes. The element may be gone
/// on return.
inline void after_call(Element& element) {
  charge(element);
  if (settings.tickets_kept) [[unlikely]]
    finish_execution(element, charged->until);
  if (element.ends || element.wanted_pe >= 0) [[unlikely]]
    grant_wishes(element);
}

}  // namespace skein::chare
