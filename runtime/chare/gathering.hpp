// SPDX-License-Identifier: Apache-2.0
// Elements that are gathered at a sync point, for an LB step or to find that it is too early for one.
//
// PEs leave a step one after the other. An element of one that has left may come to its next sync point, and
// be moved by a call then to a PE that is still in the step: it does not go on with those that this step
// gathered. So an element knows whether its gathering has an odd number; two that are not the same are never
// two apart, since none begins before all PEs have left the one before.
#pragma once

#include "skein/chare/element.hpp"

namespace skein::chare {

/// The element stops. In the next gathering of its PE it is one of those gathered.
void stop_for_gathering(Element& element);

/// On every PE, at the end of the step: those that were gathered go on.
void end_gathering();

}  // namespace skein::chare
