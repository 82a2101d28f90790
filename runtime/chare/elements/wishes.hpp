// SPDX-License-Identifier: Apache-2.0
// What an element asks for while its method runs, and gets when that has returned: to move, or to end.
#pragma once

#include "runtime/chare/calls/charging.hpp"
#include "runtime/chare/record/execution_record.hpp"

namespace skein::chare {

/// The element may be gone then.
void grant_wishes(Element& element);

/// Charges the time to the element whose method has returned, and grants what it asked for: it may be gone
/// then.
inline void after_call(Element& element) {
  charge(element);
  if (settings.tickets_kept) [[unlikely]]
    finish_execution(element, charged->until);
  if (element.ends || element.wanted_pe >= 0) [[unlikely]]
    grant_wishes(element);
}

}  // namespace skein::chare
