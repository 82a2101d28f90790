// SPDX-License-Identifier: Apache-2.0
// Elements that are gathered at a sync point: for an LB step, or for a sync point without one.
//
// PEs leave a gathering one after the other, and a call may move an element that waits at a sync point. So it
// may reach a PE that is still in the gathering before its own, and must not resume with the elements of that
// one; or a PE where its own gathering is over, and must not wait for the next. Gatherings are numbered,
// equally on all PEs, and an element carries the number of its own; two PEs are at most one apart.
#pragma once

#include "skein/chare/element.hpp"

namespace skein::chare {

/// Stops the element, for the gathering that this PE has not left yet.
void stop_for_gathering(Element& element);

/// Returns true if an element that has arrived while stopped must resume, since its gathering is over here.
bool is_over_for(const Element& element);

/// Returns the number of this PE's gathering. A job that continues from a state begins with that of its
/// elements.
std::uint8_t& gathering_number();

/// Resumes the elements of this PE. On every PE, when all elements have stopped.
void end_gathering();

}  // namespace skein::chare
